//! Small tables as `sweep` writes them.

/// The columns in their order.
pub(crate) const HEADER: &str = "grid,cell,kernel,warps,sigma_l,sigma_c,asked,lower,upper,verdict,best_case,pessimistic,\
                          critical_path,phase,bottleneck,up_to,min_over_y,engine,stop,seconds,states,rows,columns,\
                          nonzeros,version";

/// The columns of a cell: kernel, W, both sigmas (which are equal), engine asked for, lower, upper,
/// pessimistic, x, estimate, stop.
pub(crate) type Cell<'a> = (&'a str, u64, &'a str, &'a str, u64, u64, u64, u64, u64, &'a str);

/// A row of CSV.
pub(crate) fn row(cell: Cell) -> String {
    let (kernel, warps, sigma, asked, lower, upper, pessimistic, x, estimate, stop) = cell;
    let verdict = if lower == upper { "exact" } else { "bounded" };
    let seconds = 0.001 * f64::from(u32::try_from(warps * warps).unwrap());
    format!(
        "g,{warps},{kernel},{warps},{sigma},{sigma},{asked},{lower},{upper},{verdict},,{pessimistic},{pessimistic},\
         {upper},1,{x},{estimate},{asked},{stop},{seconds},,,,,0.1.0\n"
    )
}

/// A table of CSV.
pub(crate) fn table(cells: &[Cell]) -> String {
    format!("{HEADER}\n{}", cells.iter().map(|&cell| row(cell)).collect::<String>())
}

/// The table of LCL at sigma 1: with x = 3 the estimate for W = 4 is 8, but the worst case is 9 (erratum E1).
pub(crate) fn lcl() -> String {
    let mut cells = Vec::new();
    for (warps, worst, estimates) in [(1, 3, [3, 3]), (2, 4, [6, 4]), (3, 7, [9, 7]), (4, 9, [12, 8])] {
        for (x, estimate) in [1, 3].into_iter().zip(estimates) {
            for asked in ["auto", "states"] {
                cells.push(("LCL", warps, "1", asked, worst, worst, 3 * warps, x, estimate, "proved"));
            }
        }
    }
    table(&cells)
}
