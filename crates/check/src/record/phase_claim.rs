//! What a record claims about its phase bound, verified by the plain computation.

use num_rational::Ratio;

use crate::record::phases::{Plain, Theta, upper};
use crate::record::{Judged, labelling};
use warpspan_model::{Cycles, Instance, Kernel, Unit};

/// The claims of a record about its phase bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseClaim {
    /// The rate a of each group.
    pub rates: Vec<String>,
    /// A labelling of each group that earns this rate.
    pub labels: Vec<String>,
    /// The price of a change from the slow label at which the rates and labellings hold.
    pub theta: String,
    /// The bound.
    pub upper: Cycles,
}

impl PhaseClaim {
    /// The price as a number, if it is one.
    pub(super) fn theta(&self) -> Option<Theta> {
        self.theta.parse().ok()
    }

    /// Judges the bound, the price, and the rates and labellings at that price. Some schedule takes
    /// `makespan` cycles, if one was replayed, and `worst` is the worst case, if it is known.
    pub(super) fn judge(
        &self,
        instance: &Instance,
        makespan: Option<Cycles>,
        worst: Option<Cycles>,
    ) -> Vec<Judged> {
        let mut judged = vec![self.judge_upper(instance, makespan, worst)];
        let sigma = Unit::ALL.map(|unit| i128::from(instance.sigma(unit)));
        let range = Ratio::new(1, sigma[0].max(sigma[1]))..=Ratio::new(1, sigma[0].min(sigma[1]));
        let Some(theta) = self.theta().filter(|theta| range.contains(theta)) else {
            let why =
                format!("theta is {:?}: want a price from {} to {}", self.theta, range.start(), range.end());
            judged.push(Judged::refuted("phase.theta", why));
            return judged;
        };
        judged.push(Judged::confirmed("phase.theta", "a price that gives a valid bound"));
        let plain = Plain { instance, sigma, theta };
        let kernels: Vec<&Kernel> = instance.groups().iter().map(|group| &group.kernel).collect();
        let rates: Vec<String> = kernels.iter().map(|kernel| plain.rate(kernel).to_string()).collect();
        judged.push(if rates == self.rates {
            Judged::confirmed("phase.rates", "the best labellings earn as much")
        } else {
            let why = format!("rates are {:?}, but the best labellings earn {rates:?}", self.rates);
            Judged::refuted("phase.rates", why)
        });
        let best = self.labels.len() == kernels.len()
            && self.labels.iter().zip(&kernels).all(|(labels, kernel)| {
                plain.earned(kernel, labels).is_some_and(|earned| earned == plain.rate(kernel))
            });
        judged.push(if best {
            Judged::confirmed("phase.labels", "they earn the rates")
        } else {
            Judged::refuted("phase.labels", "they are no labellings that earn the best rates")
        });
        judged
    }

    fn judge_upper(&self, instance: &Instance, makespan: Option<Cycles>, worst: Option<Cycles>) -> Judged {
        let claim = self.upper;
        let own = labelling::upper(instance).unwrap_or_else(|| upper(instance, self.theta())).cycles;
        let refuted = |why| Judged::refuted("phase.upper", format!("phase.upper is {claim}, but {why}"));
        match worst {
            _ if makespan.is_some_and(|makespan| claim < makespan) => {
                refuted(format!("a schedule takes {} cycles", makespan.unwrap_or_default()))
            }
            Some(worst) if claim < worst => {
                refuted(format!("the worst of all schedules takes {worst} cycles"))
            }
            _ if claim >= own => {
                Judged::confirmed("phase.upper", format!("{claim} cycles, the plain route gives {own}"))
            }
            _ if instance.groups().len() == 1 && labelling::is_exact(instance) => {
                refuted(format!("the plain route gives {own}"))
            }
            _ => Judged::not_judged(
                "phase.upper",
                format!("the plain route gives {own}, which need not be the smallest"),
            ),
        }
    }
}
