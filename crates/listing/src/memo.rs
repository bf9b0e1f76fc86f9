//! What was found, kept by all that it depends on.

use std::cell::RefCell;
use std::rc::Rc;

/// Values by their keys.
#[derive(Debug)]
pub(crate) struct Memo<K, V>(RefCell<Vec<(K, Rc<V>)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: PartialEq, V> Memo<K, V> {
    /// The value of a key, which is found only if it is not known.
    pub(crate) fn get(&self, key: K, find: impl FnOnce(&K) -> V) -> Rc<V> {
        let known =
            self.0.borrow().iter().find(|(known, _)| *known == key).map(|(_, value)| Rc::clone(value));
        known.unwrap_or_else(|| {
            let value = Rc::new(find(&key));
            self.0.borrow_mut().push((key, Rc::clone(&value)));
            value
        })
    }
}
