//! Polynomials in atoms whose coefficients are numbers for each lane.
//!
//! A form stands for the bits of a register modulo 2^w, where w is the width of the register, 64 at most. Its coefficients are
//! kept modulo 2^64, so that arithmetic never overflows, and each of them is a number of its own: ranges are those of the
//! polynomial as it stands here, which is one of many that are equal modulo 2^w.

use crate::affine::lanes::{LANES, Lanes, low, signed, twos};

/// A product of atoms by their numbers, which begin with 1, in their order. No atom is the number one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Product([u32; DEGREE]);

/// The most atoms of a product.
const DEGREE: usize = 4;
/// The most terms of a form.
const TERMS: usize = 20;

impl Product {
    /// The number one.
    pub(super) const ONE: Self = Self([0; DEGREE]);

    /// An atom alone.
    pub(super) const fn of(atom: u32) -> Self {
        Self([atom, 0, 0, 0])
    }

    /// Its atoms.
    pub(super) fn atoms(self) -> impl Iterator<Item = u32> + Clone {
        self.0.into_iter().take_while(|&atom| atom != 0)
    }

    /// The product of two; none if it has too many atoms.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        let mut all: Vec<u32> = self.atoms().chain(other.atoms()).collect();
        all.sort_unstable();
        all.resize(DEGREE.max(all.len()), 0);
        all.try_into().ok().map(Self)
    }

    /// It without one occurrence of an atom.
    pub(super) fn without(self, atom: u32) -> Self {
        let mut left: Vec<u32> = self.atoms().collect();
        if let Some(at) = left.iter().position(|&one| one == atom) {
            left.remove(at);
        }
        left.resize(DEGREE, 0);
        left.try_into().map_or(Self::ONE, Self)
    }
}

/// A polynomial. No coefficient is zero for all lanes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Form(Vec<(Product, Lanes)>);

impl Form {
    /// A number for each lane.
    pub(super) fn lanes(table: Lanes) -> Self {
        Self::from_terms([(Product::ONE, table)])
    }

    /// The same number for all lanes, modulo 2^64.
    pub(super) fn number(value: i128) -> Self {
        Self::lanes([low(value); LANES])
    }

    /// An atom.
    pub(super) fn atom(atom: u32) -> Self {
        Self(vec![(Product::of(atom), [1; LANES])])
    }

    /// A sum of terms.
    pub(super) fn from_terms(terms: impl IntoIterator<Item = (Product, Lanes)>) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|(product, table)| sum.add_term(product, &table));
        sum
    }

    fn add_term(&mut self, product: Product, table: &Lanes) {
        match self.0.binary_search_by_key(&product, |term| term.0) {
            Ok(at) => {
                let sum = &mut self.0[at].1;
                sum.iter_mut().zip(table).for_each(|(sum, one)| *sum = sum.wrapping_add(*one));
                if sum.iter().all(|&one| one == 0) {
                    self.0.remove(at);
                }
            }
            Err(_) if table.iter().all(|&one| one == 0) => {}
            Err(at) => self.0.insert(at, (product, *table)),
        }
    }

    /// Its terms.
    pub(super) fn terms(&self) -> impl Iterator<Item = (Product, &Lanes)> {
        self.0.iter().map(|(product, table)| (*product, table))
    }

    /// The known part.
    pub(super) fn known(&self) -> Lanes {
        self.coefficient(Product::ONE)
    }

    /// The coefficient of a product.
    pub(super) fn coefficient(&self, product: Product) -> Lanes {
        self.terms().find(|term| term.0 == product).map_or([0; LANES], |term| *term.1)
    }

    /// Whether it is known for each lane.
    pub(super) fn is_known(&self) -> bool {
        self.terms().all(|(product, _)| product == Product::ONE)
    }

    /// The sum of two; none if it has too many terms.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        other.terms().for_each(|(product, table)| sum.add_term(product, table));
        (sum.0.len() <= TERMS).then_some(sum)
    }

    /// It times a number.
    pub(super) fn scaled(&self, by: i64) -> Self {
        Self::from_terms(
            self.terms().map(|(product, table)| (product, table.map(|one| one.wrapping_mul(by)))),
        )
    }

    /// The difference of two; none if it has too many terms.
    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.scaled(-1))
    }

    /// The product of two; none if it is too large.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (one, of_one) in self.terms() {
            for (two, of_two) in other.terms() {
                let mut table = *of_one;
                table.iter_mut().zip(of_two).for_each(|(one, two)| *one = one.wrapping_mul(*two));
                all.add_term(one.times(two)?, &table);
            }
        }
        (all.0.len() <= TERMS).then_some(all)
    }

    /// An equal form modulo 2^bits with small coefficients. The differences of the coefficients of lanes stay as they are if
    /// they can.
    pub(super) fn modulo(&self, bits: u32) -> Self {
        if bits >= 64 {
            return self.clone();
        }
        let half = 1_i64 << (bits - 1);
        let is_small = |one: &i64| (-half..half).contains(one);
        Self::from_terms(self.terms().map(|(product, table)| {
            if table.iter().all(is_small) {
                return (product, *table);
            }
            let first = i128::from(table[0]);
            let shift = low(signed(first, bits) - first);
            let shifted = table.map(|one| one.wrapping_add(shift));
            let near = shifted.iter().all(|one| one.unsigned_abs() < 2 * half.unsigned_abs());
            let each = |one: i64| low(signed(i128::from(one), bits));
            (product, if near { shifted } else { table.map(each) })
        }))
    }

    /// Whether two are equal modulo 2^bits whatever the atoms are.
    pub(super) fn equals(&self, other: &Self, bits: u32) -> bool {
        let divides = |form: Self| form.terms().all(|(_, table)| table.iter().all(|&one| twos(one) >= bits));
        self.minus(other).is_some_and(divides)
    }

    /// Other coefficients in its terms.
    pub(super) fn map(&self, of: impl Fn(&Lanes) -> Lanes) -> Self {
        Self::from_terms(self.terms().map(|(product, table)| (product, of(table))))
    }
}
