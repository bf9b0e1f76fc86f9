//! Listings that no compiler makes: anything anywhere, and structures of which an instruction was changed.

use super::Dialect;
use super::generate::{Item, jump};
use super::structures::Structures;

impl Structures<'_> {
    /// Labels, branches and whatever else the dialect has, anywhere.
    pub(crate) fn arbitrary(&mut self) -> Vec<Item> {
        let kernel = self.label();
        self.items.push(Item::Function(kernel));
        let labels: Vec<usize> = (0..2 + self.random.index(3)).map(|_| self.label()).collect();
        for _ in 0..3 + self.random.index(10) {
            let item = self.any(&labels);
            self.items.push(item);
        }
        for label in labels {
            let at = 1 + self.random.index(self.items.len());
            self.items.insert(at, Item::Label(label));
        }
        std::mem::take(&mut self.items)
    }

    fn any(&mut self, labels: &[usize]) -> Item {
        let to = *self.random.pick(labels);
        let guard = (!self.random.one_in(4)).then(|| self.guard());
        let bra = self.word("bra");
        let register = self.random.index(2);
        match (self.dialect, self.random.below(9)) {
            (_, 0..=2) => jump(guard, bra, to),
            (_, 3) => Item::Ins { guard, op: self.word("exit").into(), to: vec![], uniform: false },
            (Dialect::Stack, 4) => jump(None, ["SSY", "PBK"][register], to),
            (Dialect::Stack, 5 | 6) => {
                Item::Ins { guard, op: ["SYNC", "BRK"][register].into(), to: vec![], uniform: false }
            }
            (Dialect::Groups, 4) => jump(None, &format!("BSSY B{register},"), to),
            (Dialect::Groups, 5 | 6) => waits(guard, format!("BSYNC B{register}")),
            (Dialect::Groups, 7) => waits(guard, format!("BREAK B{register}")),
            _ => self.letter(),
        }
    }

    /// Changes one instruction.
    pub(super) fn mutate(&mut self) {
        let labels: Vec<usize> = self
            .items
            .iter()
            .filter_map(|item| if let Item::Label(label) = item { Some(*label) } else { None })
            .collect();
        if labels.is_empty() {
            return;
        }
        let at = 1 + self.random.index(self.items.len() - 1);
        let to_label = *self.random.pick(&labels);
        match self.random.below(5) {
            0 if matches!(self.items[at], Item::Ins { .. }) => {
                self.items.remove(at);
            }
            1 if at > 1
                && !matches!(
                    (&self.items[at], &self.items[at - 1]),
                    (Item::Function(_), _) | (_, Item::Function(_))
                ) =>
            {
                self.items.swap(at, at - 1);
            }
            2 => {
                let calls = |op: &str| ["call", "CAL", "CALL.REL.NOINC"].contains(&op);
                if let Item::Ins { to, op, .. } = &mut self.items[at]
                    && !to.is_empty()
                    && !calls(op)
                {
                    to[0] = to_label;
                }
            }
            3 => {
                let item = self.any(&labels);
                self.items.insert(at, item);
            }
            _ => {
                if let Item::Ins { guard, .. } = &mut self.items[at] {
                    *guard = None;
                }
            }
        }
    }
}

/// Now and then under a predicate.
fn waits(guard: Option<&'static str>, op: String) -> Item {
    Item::Ins { guard: guard.filter(|guard| guard.contains('!')), op, to: vec![], uniform: false }
}
