//! The simplex search of Nelder and Mead, for functions of two or three numbers.
//!
//! J. A. Nelder, R. Mead, *A simplex method for function minimization*, The Computer Journal 7, 1965. It needs no
//! derivatives, and steps back from where the function is infinite.

/// The most steps of a search.
const STEPS: usize = 2_000;
/// A search ends where the function differs by no more than this over the simplex.
const CLOSE: f64 = 1e-10;

/// The place where a function is least, as far as the search finds it, and its value there.
pub(crate) fn minimise<const N: usize>(
    function: impl Fn(&[f64; N]) -> f64,
    start: [f64; N],
    step: [f64; N],
) -> ([f64; N], f64) {
    let mut simplex = vec![(start, function(&start))];
    for axis in 0..N {
        let mut corner = start;
        corner[axis] += step[axis];
        simplex.push((corner, function(&corner)));
    }
    let order = |simplex: &mut Vec<([f64; N], f64)>| simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
    order(&mut simplex);
    for _ in 0..STEPS {
        let (best, worst) = (simplex[0], simplex[N]);
        let spread = worst.1 - best.1;
        let width = (0..N).map(|axis| (worst.0[axis] - best.0[axis]).abs()).fold(0.0, f64::max);
        if spread.abs() <= CLOSE * (1.0 + best.1.abs()) && width < 1e-6 {
            break;
        }
        let mut middle = [0.0; N];
        for (corner, _) in &simplex[..N] {
            for axis in 0..N {
                middle[axis] += corner[axis] / crate::real(N);
            }
        }
        let along = |factor: f64| {
            let mut place = middle;
            for axis in 0..N {
                place[axis] += factor * (worst.0[axis] - middle[axis]);
            }
            (place, function(&place))
        };
        let reflected = along(-1.0);
        let next = if reflected.1 < best.1 {
            let expanded = along(-2.0);
            if expanded.1 < reflected.1 { Some(expanded) } else { Some(reflected) }
        } else if reflected.1 < simplex[N - 1].1 {
            Some(reflected)
        } else {
            let contracted = if reflected.1 < worst.1 { along(-0.5) } else { along(0.5) };
            (contracted.1 < worst.1.min(reflected.1)).then_some(contracted)
        };
        match next {
            Some(next) => simplex[N] = next,
            None => {
                for corner in &mut simplex[1..] {
                    for axis in 0..N {
                        corner.0[axis] = best.0[axis] + 0.5 * (corner.0[axis] - best.0[axis]);
                    }
                    corner.1 = function(&corner.0);
                }
            }
        }
        order(&mut simplex);
    }
    simplex[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rosenbrocks_valley_is_followed_to_its_end() {
        let valley = |&[x, y]: &[f64; 2]| 100.0 * (y - x * x).powi(2) + (1.0 - x).powi(2);
        let ([x, y], least) = minimise(valley, [-1.2, 1.0], [0.1, 0.1]);
        assert!((x - 1.0).abs() < 1e-4 && (y - 1.0).abs() < 1e-4 && least < 1e-8, "{x} {y} {least}");
    }

    #[test]
    fn a_wall_is_not_crossed() {
        let walled =
            |&[x, y, z]: &[f64; 3]| if x < 0.5 { f64::INFINITY } else { x + (y - 2.0).powi(2) + z * z };
        let ([x, y, z], _) = minimise(walled, [3.0, 0.0, 1.0], [0.5, 0.5, 0.5]);
        assert!((x - 0.5).abs() < 1e-3 && (y - 2.0).abs() < 1e-2 && z.abs() < 1e-2, "{x} {y} {z}");
    }
}
