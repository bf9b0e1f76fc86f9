//! All pieces of a program one by one, and values that follow from those of the pieces inside. Neither recurses, so that no
//! depth of nesting is too much.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use crate::program::Piece;

impl<L> Piece<L> {
    /// The pieces directly inside of this one. Where two pieces share them, they are at the same address.
    pub fn inside(&self) -> &[Self] {
        match self {
            Self::Letters { .. } | Self::Barrier { .. } => &[],
            Self::Sequence(pieces) | Self::Branch { arms: pieces, .. } => pieces,
            Self::Loop { body, .. } => std::slice::from_ref(body),
        }
    }

    /// Whether others may share the pieces inside of this one.
    pub fn is_shared(&self) -> bool {
        match self {
            Self::Sequence(pieces) | Self::Branch { arms: pieces, .. } => Arc::strong_count(pieces) > 1,
            _ => false,
        }
    }

    /// This piece and all that are inside of it, each before those inside of it, in the order of the text.
    pub fn pieces(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let piece = open.pop()?;
            open.extend(piece.inside().iter().rev());
            Some(piece)
        })
    }

    /// The same, but pieces that several others share come once, behind the first of these.
    pub fn distinct(&self) -> impl Iterator<Item = &Self> {
        let (mut open, mut seen) = (vec![self], HashSet::new());
        std::iter::from_fn(move || {
            let piece = open.pop()?;
            let inside = piece.inside();
            if !piece.is_shared() || seen.insert(inside.as_ptr()) {
                open.extend(inside.iter().rev());
            }
            Some(piece)
        })
    }

    /// The letters in the order of the text, also those in loops of no rounds. A run of equal letters is one, and letters in pieces
    /// that several others share are there once.
    pub fn letters(&self) -> impl Iterator<Item = &L> {
        self.distinct().filter_map(|piece| match piece {
            Self::Letters { letter, .. } => Some(letter),
            _ => None,
        })
    }

    /// The value of this piece, where `value` says what a piece has from the values of those directly inside of it, in
    /// their order.
    ///
    /// ```
    /// use warpspan_model::program::Piece;
    ///
    /// let program: Piece = "L(C[LL/C])0..3".parse()?;
    /// let longest = program.fold(|piece, inside: Vec<u64>| match piece {
    ///     Piece::Letters { count, .. } => *count,
    ///     Piece::Barrier { .. } => 0,
    ///     Piece::Sequence(_) => inside.iter().sum(),
    ///     Piece::Branch { .. } => inside.into_iter().max().unwrap_or(0),
    ///     Piece::Loop { most, .. } => inside[0] * most,
    /// });
    /// assert_eq!(longest, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold<'a, V>(&'a self, mut value: impl FnMut(&'a Self, Vec<V>) -> V) -> V {
        let Ok(value) = self.try_fold::<V, Infallible>(|piece, inside| Ok(value(piece, inside)));
        value
    }

    /// The same where a piece may have no value. The first one in the order of the text, from the inside outwards, that has
    /// none says why.
    ///
    /// # Errors
    /// The first one of `value`.
    pub fn try_fold<'a, V, E>(
        &'a self,
        mut value: impl FnMut(&'a Self, Vec<V>) -> Result<V, E>,
    ) -> Result<V, E> {
        // The pieces around this one, each with the values that are known of those inside of it.
        let mut around: Vec<(&Self, Vec<V>)> = Vec::new();
        let (mut piece, mut values) = (self, Vec::new());
        loop {
            if let Some(next) = piece.inside().get(values.len()) {
                around.push((piece, std::mem::take(&mut values)));
                piece = next;
                continue;
            }
            let found = value(piece, std::mem::take(&mut values))?;
            let Some(outer) = around.pop() else { return Ok(found) };
            (piece, values) = outer;
            values.push(found);
        }
    }

    /// In how many others the deepest piece lies.
    pub fn depth(&self) -> usize {
        self.fold(|_, inside| inside.into_iter().max().map_or(0, |deepest: usize| deepest + 1))
    }
}

impl<L: Clone> Piece<L> {
    /// The same piece with others in the places of those directly inside of it, as many as it has.
    #[must_use]
    pub fn with_inside(&self, mut pieces: Vec<Self>) -> Self {
        match self {
            Self::Letters { .. } | Self::Barrier { .. } => self.clone(),
            Self::Sequence(_) => Self::Sequence(pieces.into()),
            &Self::Branch { divergence, line, .. } => Self::Branch { arms: pieces.into(), divergence, line },
            &Self::Loop { least, most, line, .. } => {
                let body = Box::new(pieces.pop().unwrap_or(Self::Sequence(vec![].into())));
                Self::Loop { body, least, most, line }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;

    #[test]
    fn pieces_come_in_the_order_of_the_text() {
        let program: Piece = "L(C[LL/C|])0..3{/C}".parse().unwrap();
        assert_eq!(program.letters().map(|unit| unit.letter()).collect::<String>(), "LCLCC");
        assert_eq!(program.pieces().filter(|piece| matches!(piece, Piece::Barrier { .. })).count(), 1);
        assert_eq!(program.pieces().count(), program.fold(|_, inside| 1 + inside.iter().sum::<usize>()));
        assert_eq!(program.fold(|piece, inside| piece.with_inside(inside)), program);
        assert_eq!((program.depth(), Piece::Barrier::<Unit> { line: 0 }.depth()), (5, 0));
    }

    #[test]
    fn the_innermost_error_comes_first() {
        let program: Piece = "C([L/C])2L".parse().unwrap();
        let mut seen = Vec::new();
        let found = program.try_fold::<(), u64>(|piece, _| {
            seen.push(std::mem::discriminant(piece));
            match piece {
                Piece::Loop { most, .. } => Err(*most),
                _ => Ok(()),
            }
        });
        assert_eq!((found, seen.len()), (Err(2), 5));
    }

    #[test]
    fn vast_depth_is_no_trouble() {
        let mut program: Piece = "LC".parse().unwrap();
        for line in 0..100_000 {
            program = Piece::Loop { body: Box::new(program), least: 1, most: 1, line };
        }
        assert_eq!((program.pieces().count(), program.depth()), (100_003, 100_001));
        // Dropping it would recurse.
        std::mem::forget(program);
    }
}
