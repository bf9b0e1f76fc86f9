//! Branches one behind the other whose ways share so much code that a program cannot have a copy for each of them.

use super::Dialect;
use super::generate::{Case, Item};
use super::random::Random;
use super::structures::Structures;

impl Case {
    /// A ladder, now and then in a loop.
    pub(crate) fn ladder(dialect: Dialect, random: &mut Random) -> Self {
        let capability = *random.pick(match dialect {
            Dialect::Ptx => &[52, 61, 75],
            Dialect::Stack => &[50, 52, 61],
            Dialect::Groups => &[70, 75, 86],
        });
        let mut made = Structures::new(dialect, capability, random);
        let items = made.ladder();
        Self { capability, dialect, items }
    }
}

impl Structures<'_> {
    /// Each branch leads to the next place, or past it.
    fn ladder(&mut self) -> Vec<Item> {
        let (kernel, head, merge) = (self.label(), self.label(), self.label());
        self.items.push(Item::Function(kernel));
        self.put(head);
        let register = self.open(merge);
        // Most ladders part no threads by themselves, but what stands beside them may.
        let (stages, parts) = (28 + self.random.index(5), self.random.one_in(6));
        let places: Vec<usize> = (0..=stages).map(|_| self.label()).collect();
        for (at, &place) in places[..stages].iter().enumerate() {
            self.put(place);
            if self.random.one_in(6) {
                self.sequence();
            }
            let letter = self.letter();
            self.items.push(letter);
            let uniform = !parts || self.random.one_in(2);
            let to = vec![places[(at + 2 + self.random.index(2)).min(stages)]];
            let (guard, op) = (Some(self.guard()), self.word("bra").to_owned());
            self.items.push(Item::Ins { guard, op, to, uniform });
        }
        self.put(places[stages]);
        self.close(merge, register);
        let letter = self.letter();
        self.items.push(letter);
        if self.random.one_in(4) {
            self.branch(head);
        }
        let end = self.word("exit");
        self.push(end);
        self.called();
        std::mem::take(&mut self.items)
    }
}
