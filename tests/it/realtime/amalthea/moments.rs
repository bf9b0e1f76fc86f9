//! What takes no time but needs its unit for a moment: a window that holds no work is no bound on it.

use warpspan::model::time::Duration;
use warpspan::realtime::amalthea::{analyse, read_model};
use warpspan::realtime::rta::{DeadlineMet, Verdict};

use super::small::{Host, Waits, model, task};

const MS: u64 = 1_000_000_000;

fn bounds(text: &str, names: &[&str]) -> Vec<Option<u64>> {
    let model = read_model("m.amxmi", text).unwrap();
    let analysis = analyse(&model);
    names.iter().map(|name| analysis.tasks[task(&model, name)].bound.map(|bound| bound.0 / MS)).collect()
}

/// H runs from 0 to 5, so K triggers G at 5; the next job of K triggers it at 10 at once, where the first G has run until
/// 11: G ends at 17, 7 after its trigger.
#[test]
fn a_trigger_before_all_work_waits_for_the_core() {
    let text = include_str!("../../../data/amalthea/trigger-first.amxmi");
    let model = read_model("m.amxmi", text).unwrap();
    let analysis = analyse(&model);
    let bound = |name| analysis.tasks[task(&model, name)].bound;
    let ms = |time: u64| Some(Duration(time * MS));
    assert_eq!((bound("H"), bound("K"), bound("G")), (ms(5), ms(6), ms(7)));
    // Its deadline is 6.
    assert_eq!(analysis.tasks[task(&model, "G")].meets, DeadlineMet::Unknown);
    assert_eq!(analysis.verdict, Verdict::Undecided);
}

/// With up to a tick before the trigger, it comes at 6 at the latest, and at 10 the next time: 12 to 18, so 8.
#[test]
fn a_trigger_after_a_tick_is_a_tick_later() {
    let text = include_str!("../../../data/amalthea/trigger-after-a-tick.amxmi");
    assert_eq!(bounds(text, &["H", "K", "G"]), [Some(5), Some(7), Some(8)]);
}

/// A job without ticks is delayed by what is more urgent, and by what cannot be preempted.
#[test]
fn a_job_without_ticks_waits_its_turn() {
    let mut hosts = [Host::plain(20, 5, 3), Host::plain(20, 0, 2), Host::plain(50, 4, 1)];
    assert_eq!(bounds(&model(&hosts), &["t0", "t1", "t2"]), [Some(5), Some(5), Some(9)]);
    hosts[2].is_preemptive = false;
    assert_eq!(bounds(&model(&hosts), &["t1"]), [Some(9)]);
    // What is released at the very moment comes before it: 5 from 0 on, and 5 from 5 on.
    hosts[0].period = 5;
    assert_eq!(bounds(&model(&hosts), &["t1"]), [None]);
    let hosts = [Host::plain(6, 3, 3), Host::plain(9, 3, 2), Host::plain(30, 0, 1)];
    // 3, 3, 3 from 0 to 9, where the second comes again: 9 to 12; at 12 the first: to 15; then at 18, where it is free.
    assert_eq!(bounds(&model(&hosts), &["t2"]), [Some(15)]);
}

/// The same of a core that a suspended task shares: W(w) = min(E, w) alone would leave an empty window.
#[test]
fn a_job_without_ticks_waits_for_what_suspends_itself() {
    let urgent = Host::plain(50, 3, 2).with_gpu(4, false, 2);
    // 5 of the first, which another job of it cannot follow before 50 - (9 - 5).
    assert_eq!(bounds(&model(&[urgent, Host::plain(50, 0, 1)]), &["t0", "t1"]), [Some(9), Some(5)]);
}

/// A kernel without ticks waits for what the GPU does before it, in any order.
#[test]
fn a_kernel_without_ticks_waits_for_the_gpu() {
    let on = |core, period, gpu| Host {
        cores: vec![core],
        gpu: Some(((gpu, gpu), Waits::Never)),
        ..Host::plain(period, 0, 1)
    };
    assert_eq!(bounds(&model(&[on(0, 20, 7), on(1, 20, 0)]), &["g0", "g1"]), [Some(7), Some(7)]);
    // The GPU is busy without a pause.
    assert_eq!(bounds(&model(&[on(0, 7, 7), on(1, 20, 0)]), &["g1"]), [None]);
}

/// A task of the GPU with a stimulus of its own: from its arrival its own jitter counts too.
#[test]
fn the_jitter_of_a_gpu_task_counts_from_its_arrival() {
    let mut host = Host::plain(10, 6, 1);
    host.jitter = 4;
    let other = r#"<taskAllocation task="t0?type=Task" scheduler="host?type=TaskScheduler" affinity="core0?type=ProcessingUnit">"#;
    let text = model(&[host]);
    assert!(text.contains(other));
    let text = text.replace(
        other,
        r#"<taskAllocation task="t0?type=Task" scheduler="gpu?type=TaskScheduler" affinity="gpu0?type=ProcessingUnit">"#,
    );
    // Released at 4, it ends at 10; the next one is released at 10.
    assert_eq!(bounds(&text, &["t0"]), [Some(10)]);
}

/// A waits actively for B, which its core never comes to, since A is more urgent: nothing of this ends, although nothing of it
/// takes any time.
#[test]
fn a_circle_of_waits_has_no_bound_even_where_it_takes_no_time() {
    let text = include_str!("../../../data/amalthea/wait-for-oneself.amxmi");
    assert_eq!(bounds(text, &["A", "B"]), [None, None]);
    let model = read_model("m.amxmi", text).unwrap();
    assert_eq!(analyse(&model).verdict, Verdict::Undecided);
}

/// What a task waits for may have been set before, where the task that sets it is triggered twice: by the first trigger, which
/// comes 5 before the wait, or by another task. A lower end may not count from the last trigger.
#[test]
fn an_event_that_may_have_been_set_before_refutes_nothing() {
    let first = include_str!("../../../data/amalthea/two-triggers.amxmi");
    let other = include_str!("../../../data/amalthea/event-of-another.amxmi");
    for (text, most) in [(first, 5), (other, 0)] {
        let model = read_model("m.amxmi", text).unwrap();
        let analysis = analyse(&model);
        let result = &analysis.tasks[task(&model, "A")];
        assert!(result.least.is_none_or(|least| least <= Duration(most * MS)), "{result:?}");
        assert!(result.worst_lower.is_none_or(|least| least <= Duration(most * MS)), "{result:?}");
        assert_eq!(analysis.verdict, Verdict::Undecided);
    }
}
