//! Sets of tasks on a GPU (Si21 section 3.4.2).

use crate::slices::MOST_MULTIPROCESSORS;
use crate::task::{Task, TaskError};
use crate::{Division, Mechanism, Partition, Shared, Slices, Slicing, Structure, Test};
use warpspan_model::assumption::{Assumption, Id, Kind as By, Rests};
use warpspan_model::source::Message;

/// A partition that a file gives, to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The partition.
    pub partition: Partition,
    /// Its line in the file, from 1.
    pub line: Option<usize>,
}

/// What kernels that run together need of each multiprocessor.
const ROOM: &str =
    "keeps room for the blocks of each kernel, whatever others run, as with a limit of blocks for each";

/// How far apart jobs arrive.
fn arrivals(value: &str) -> Assumption {
    Assumption::declared(Id::LaunchArrivals, "jobs of a task", value).by("period in the file")
}

/// Tasks, and the multiprocessors of the GPU that they share.
#[derive(Debug, Clone)]
pub struct TaskSet {
    tasks: Vec<Task>,
    multiprocessors: usize,
    slices: Option<Slices>,
    structure: Structure,
    division: Option<Division>,
    /// The sizes that a partition may have, ascending; there is one or more.
    sizes: Vec<usize>,
    given: Vec<Given>,
    mechanism: Option<Mechanism>,
    test: Option<Test>,
    rests: Rests,
    shared: Shared,
    /// How many tasks have execution times that are computed: bounds, which a job need not be able to take.
    computed: usize,
}

impl TaskSet {
    /// The most tasks, and the most multiprocessors.
    pub const MOST: usize = MOST_MULTIPROCESSORS;

    /// A set of tasks on M multiprocessors.
    ///
    /// # Errors
    /// If there are no tasks or no multiprocessors, if there are more than [`MOST`](Self::MOST), or if two
    /// tasks have the same name.
    pub fn new(tasks: Vec<Task>, multiprocessors: usize) -> Result<Self, TaskError> {
        if !(1..=Self::MOST).contains(&multiprocessors) {
            return Err(TaskError::Multiprocessors(multiprocessors));
        }
        if !(1..=Self::MOST).contains(&tasks.len()) {
            return Err(TaskError::Tasks(tasks.len()));
        }
        let mut names = rustc_hash::FxHashSet::default();
        if let Some(twice) = tasks.iter().find(|task| !names.insert(task.name())) {
            return Err(TaskError::Name(twice.name().to_owned()));
        }
        Ok(Self {
            tasks,
            multiprocessors,
            slices: None,
            structure: Structure::default(),
            division: None,
            sizes: (1..=multiprocessors).collect(),
            given: Vec::new(),
            mechanism: None,
            test: None,
            rests: Rests::default(),
            shared: Shared::default(),
            computed: 0,
        })
    }

    /// The same set on a GPU whose partitions take whole slices. What does not belong to a slice is not used.
    ///
    /// # Errors
    /// If the slices have no multiprocessors, or more than there are.
    pub fn in_slices(mut self, slicing: Slicing) -> Result<Self, TaskError> {
        let slices = slicing.of(self.multiprocessors);
        let slices = slices.ok_or(TaskError::Slices(slicing, self.multiprocessors))?;
        self.slices = Some(slices);
        self.sizes = (1..=slices.count).map(|count| count * slices.size).collect();
        let (Slices { count, size }, whole) = (slices, self.multiprocessors);
        let (id, subject) = (Id::GpuMultiprocessors, "multiprocessors of a slice");
        let one = match slicing.size {
            Some(_) => Assumption::declared(id, subject, format!("{size}, of {count}")).by("slices"),
            None => {
                let value = format!(
                    "{size}, which is {whole} divided by {count}: a GPU may give fewer, as an A100 with 7x14"
                );
                Assumption::assumed(id, subject, value)
            }
        };
        self.rests.add(vec![one].into());
        Ok(self)
    }

    /// The same set, whose partitions a mechanism sets up: they have the sizes that it can give them on the GPU.
    ///
    /// # Errors
    /// If it can give none there, or if it is not known what it can.
    pub fn set_up_by(mut self, mechanism: Mechanism) -> Result<Self, TaskError> {
        let division = Division::new(mechanism, &self.structure, self.multiprocessors)
            .map_err(|what| TaskError::Mechanism { mechanism, what })?;
        self.sizes = division.sizes().to_vec();
        self.rests.notes.extend(division.notes().iter().map(Message::text));
        self.division = Some(division);
        Ok(self)
    }

    /// The same set on a GPU whose multiprocessors are grouped so, and for which a file names a mechanism.
    #[must_use]
    pub fn on(self, structure: Structure, mechanism: Option<Mechanism>) -> Self {
        Self { structure, mechanism, ..self }
    }

    /// The same set, for which a file gives partitions.
    #[must_use]
    pub(super) fn with_given(self, given: Vec<Given>) -> Self {
        Self { given, ..self }
    }

    /// The partitions that the file gives; empty where they are to be found.
    pub fn given(&self) -> &[Given] {
        &self.given
    }

    /// The mechanism that the file of the set names, if it names one.
    pub fn mechanism(&self) -> Option<Mechanism> {
        self.mechanism
    }

    /// What holds of partitions that a mechanism sets up; `None` where none is named.
    pub fn division(&self) -> Option<&Division> {
        self.division.as_ref()
    }

    /// What a verdict rests on, of tasks that run one at a time by a test; without one they run together.
    pub fn rests_on(&self, test: Option<Test>) -> Vec<Assumption> {
        let (subject, value) = if self.computed == self.tasks.len() {
            (
                "a job",
                "in conflict where a task of its kind is in its partition: at most k times the computed execution time",
            )
        } else {
            let subject = if self.computed == 0 { "a job" } else { "a job of a task whose times are given" };
            (
                subject,
                "at most the execution time of its task, that in conflict where a task of its kind is in its partition",
            )
        };
        let jobs = Assumption::declared(Id::ExecutionGiven, subject, value).by(Self::TIMES);
        let room = || Assumption::assumed(Id::BlockRoom, "each multiprocessor", ROOM);
        let of_policy = test.map_or_else(room, |test| self.of_policy(test));
        [jobs, arrivals("a period or more apart"), of_policy].into_iter().chain(self.of_file()).collect()
    }

    /// What it rests on that no partitions meet all deadlines by a test.
    pub fn rests_on_least(&self, test: Test) -> Vec<Assumption> {
        let value = "may take the execution time of its task";
        let jobs = Assumption::declared(Id::ExecutionLeast, "a job", value).by(Self::TIMES);
        let counts = |one: &Assumption| matches!(one.id, Id::GpuMultiprocessors | Id::ExecutionConflict);
        let of_file = self.of_file().filter(counts);
        [jobs, arrivals("may be only a period apart"), self.of_policy(test)]
            .into_iter()
            .chain(of_file)
            .collect()
    }

    /// The keys that give execution times.
    const TIMES: &str = "a, b, k, execution and conflict in the file";

    /// What numbers rest on that the file says, or leaves out.
    fn of_file(&self) -> impl Iterator<Item = Assumption> {
        let of_division = self.division.iter().flat_map(Division::rests_on);
        of_division.chain(&self.shared.rests_on).chain(&self.rests.on).cloned()
    }

    /// In which order a partition runs its kernels.
    fn of_policy(&self, test: Test) -> Assumption {
        let value = match test {
            Test::Edf => {
                "runs one kernel at a time, that with the earliest deadline, for which it stops others"
            }
            Test::NpEdf => "runs one kernel at a time to its end, that with the earliest deadline first",
            Test::NpDm => {
                "runs one kernel at a time to its end, that of the task with the shortest deadline first; of equal ones the task named first"
            }
        };
        let one = Assumption::assumed(Id::PartitionTests, "a partition", value);
        if self.test.is_some() { Assumption { kind: By::Declared, ..one }.by("test") } else { one }
    }

    /// What else should be known of what the file says.
    pub fn notes(&self) -> &[Message] {
        &self.rests.notes
    }

    /// The sizes that a partition may have, ascending.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Whether these partitions can be on the GPU together.
    pub fn fits(&self, partitions: &[Partition]) -> bool {
        let sizes: Vec<usize> = partitions.iter().map(|partition| partition.multiprocessors).collect();
        match &self.division {
            Some(division) => division.fits(&sizes),
            None => sizes.iter().sum::<usize>() <= self.multiprocessors(),
        }
    }

    /// The same set, with what numbers of its file rest on, and how many of its tasks have computed times.
    #[must_use]
    pub(crate) fn resting_on(mut self, rests: Rests, computed: usize) -> Self {
        self.rests.add(rests);
        Self { computed, ..self }
    }

    /// Whether an execution time is a bound, so that a job need not be able to take it.
    pub fn has_bounds(&self) -> bool {
        self.computed > 0
    }

    /// The same set, with what is known of the memory that its tasks share.
    #[must_use]
    pub(super) fn sharing(self, shared: Shared) -> Self {
        Self { shared, ..self }
    }

    /// What is known of the memory that its tasks share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Why no deadline is claimed to hold, whatever this test says.
    pub fn undecided_by_memory(&self, test: Test) -> Option<String> {
        let broken = || "tasks of other partitions share the DRAM, and a job that is preempted is there for longer than C";
        let broken = (self.shared.unbroken && test == Test::Edf).then(|| broken().to_owned());
        let in_parts =
            || "each instance has a part of the DRAM and of the L2, and C of code is for all of both";
        let divided = self.shared.asks && self.division.as_ref().is_some_and(Division::divides_memory);
        self.shared.undecided.clone().or(divided.then(|| in_parts().to_owned())).or(broken)
    }

    /// The same set, for which a user names a test.
    #[must_use]
    pub fn tested_by(self, test: Option<Test>) -> Self {
        Self { test, ..self }
    }

    /// The test that a user names, if one does.
    pub fn test(&self) -> Option<Test> {
        self.test
    }

    /// The tasks, in the order in which they were given.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// M, the number of multiprocessors that partitions may take: those of all slices, where there are slices, and
    /// those of the largest partition that a mechanism can set up, where one is named.
    pub fn multiprocessors(&self) -> usize {
        self.sizes.last().copied().unwrap_or(0)
    }

    /// The slices that partitions take; `None` where they take any number of multiprocessors.
    pub fn slices(&self) -> Option<Slices> {
        self.slices
    }

    /// The multiprocessors that belong to no slice, or that the mechanism cannot hand out.
    pub fn unused(&self) -> usize {
        self.multiprocessors - self.multiprocessors()
    }
}
