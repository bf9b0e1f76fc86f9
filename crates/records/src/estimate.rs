//! What extreme value theory estimates from measured times, beside a bound.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_evt as evt;
use warpspan_evt::{MethodKind, Sample};

/// What is assumed of a file of measured times in lines, whose form does not show where it ends.
const MEASURED_WHOLE: &str =
    "[measured.whole] the file has all times that were measured, since nothing marks its end";

/// The side of an estimate, which is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoSide {
    /// It may be below the worst case, or above.
    Estimate,
}

/// Measured times of launches, and which times launches exceed with small probabilities: an estimate, which no verdict rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// That it is no bound.
    pub side: NoSide,
    /// The file of the measured times.
    pub file: String,
    /// The unit of all times here: `cycles`, `ns`, `us`, `ms` or `s`.
    pub unit: String,
    /// How many launches were measured.
    pub launches: u64,
    /// The shortest measured time.
    pub shortest: f64,
    /// The median of the measured times.
    pub median: f64,
    /// The longest measured time.
    pub longest: f64,
    /// What no test can tell of the file.
    pub assumes: Vec<String>,
    /// Tests of what both methods assume.
    pub tests: Vec<Test>,
    /// Why nothing is estimated; null where the methods say themselves.
    pub unsupported: Option<String>,
    /// Block maxima and peaks over a threshold; empty where nothing is estimated.
    pub methods: Vec<Method>,
}

/// A test of an assumption.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    /// Its name: `ljung-box`, `kolmogorov-smirnov`, `mann-kendall`, `wald-wolfowitz`, `anderson-darling`, `grid` or `range`.
    pub test: String,
    /// What it is about, as a sentence.
    pub assumes: String,
    /// Its statistic; of `grid`, the step of the times over the scale of the law; of `range`, the longest measured time.
    pub statistic: f64,
    /// How probable such a statistic is where the assumption holds; null of `grid` and `range`.
    pub probability: Option<f64>,
    /// Whether the assumption is kept.
    pub passed: bool,
}

/// What a method estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// `block-maxima` or `peaks-over-threshold`.
    pub method: String,
    /// Launches of a block; null of peaks.
    pub block: Option<u64>,
    /// The threshold; null of block maxima.
    pub threshold: Option<f64>,
    /// The extremal index above the threshold, 1 where long times come by themselves; null where it is not known.
    pub extremal_index: Option<f64>,
    /// How many maxima, or times above the threshold, the law was fitted to.
    pub used: u64,
    /// Tests of what the method assumes besides.
    pub tests: Vec<Test>,
    /// Why it estimates nothing; null where it does.
    pub unsupported: Option<String>,
    /// The law; null where a test failed.
    pub law: Option<Law>,
    /// What launches exceed, the most probable first, for probabilities beyond those that the data show themselves; empty where a test
    /// failed.
    pub levels: Vec<Level>,
}

/// A generalised extreme value distribution of maxima, or a generalised Pareto distribution above the threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Law {
    /// Its location; of peaks, the threshold.
    pub location: f64,
    /// Its scale.
    pub scale: f64,
    /// Its shape; 0 where the fitted one is below 0 and 0 is not rejected.
    pub shape: f64,
    /// The fitted shape.
    pub fitted_shape: f64,
    /// The probability of the likelihood ratio if the shape is 0.
    pub zero_probability: f64,
    /// The time that no launch exceeds by this law; null where the shape is 0 or above.
    pub end: Option<f64>,
}

/// A time that one launch exceeds with a small probability, as an estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// The probability.
    pub probability: f64,
    /// The time.
    pub time: f64,
    /// The lower end of the interval of 95 %, if the law is the true one.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Estimate {
    /// Of a sample in a file.
    pub fn new(file: &str, sample: &Sample) -> Self {
        let found = evt::estimate(sample);
        let [shortest, median, longest] = found.measured;
        let whole = (!sample.is_marked()).then(|| MEASURED_WHOLE.to_owned());
        Self {
            side: NoSide::Estimate,
            file: file.to_owned(),
            unit: sample.unit().to_string(),
            launches: sample.times().len() as u64,
            shortest,
            median,
            longest,
            assumes: whole.into_iter().collect(),
            tests: found.tests.iter().map(test).collect(),
            unsupported: found.unsupported,
            methods: found.methods.iter().map(method).collect(),
        }
    }
}

/// A statistic to six decimals, which is more than it means.
fn six(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// A time to nine digits, rounded up, whatever its unit is.
fn up(time: f64) -> f64 {
    if time == 0.0 || !time.is_finite() {
        return time;
    }
    let digits = 8.0 - time.abs().log10().floor();
    let unit = 10_f64.powf(digits.abs());
    if digits >= 0.0 { (time * unit).ceil() / unit } else { (time / unit).ceil() * unit }
}

fn test(test: &evt::Test) -> Test {
    Test {
        test: test.kind.name().to_owned(),
        assumes: test.kind.assumes().to_owned(),
        statistic: six(test.statistic),
        probability: test.probability.map(six),
        passed: test.passed,
    }
}

fn method(found: &evt::Method) -> Method {
    let failed: Vec<String> =
        found.tests.iter().filter(|test| !test.passed).map(evt::Test::to_string).collect();
    let unsupported = match (&found.fit, failed.is_empty()) {
        (Some(_), _) => None,
        (None, false) => Some(failed.join("; ")),
        (None, true) => Some("no law could be fitted".to_owned()),
    };
    let (name, block, threshold, extremal_index) = match found.kind {
        MethodKind::BlockMaxima { block } => ("block-maxima", Some(block as u64), None, None),
        MethodKind::Peaks { threshold, extremal_index, .. } => {
            ("peaks-over-threshold", None, Some(up(threshold)), extremal_index.map(six))
        }
    };
    let level = |level: &evt::Level| Level {
        probability: level.probability,
        time: up(level.time),
        low: up(level.interval[0]),
        high: up(level.interval[1]),
    };
    Method {
        method: name.to_owned(),
        block,
        threshold,
        extremal_index,
        used: found.used as u64,
        tests: found.tests.iter().map(test).collect(),
        unsupported,
        law: found.fit.as_ref().map(|fit| Law {
            location: up(fit.law.location),
            scale: six(fit.law.scale),
            shape: six(fit.law.shape),
            fitted_shape: six(fit.fitted.free.shape),
            zero_probability: six(fit.fitted.zero_probability()),
            end: fit.law.end().map(up),
        }),
        levels: found.fit.iter().flat_map(|fit| &fit.levels).map(level).collect(),
    }
}
