//! Plot that compares the implementations.

use domain::error::Cause;
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::markdown::{timed_jobs, times};
use crate::{implementations::Kind, measure::Results};

/// Width of the column of names, in pixels.
const NAME_WIDTH: i32 = 240;
/// Height of a row, in pixels.
const ROW_HEIGHT: u32 = 44;

/// Factor by which an axis begins before a power of ten, so that this power is labelled too.
pub const AXIS_START: f64 = 0.999;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Row of the plot: a name and the value of each implementation.
struct Row {
    name: String,
    values: Vec<(Kind, f64)>,
}

/// Draws the starts and the warm requests of all implementations.
///
/// # Errors
///
/// Returns an error if it cannot be drawn.
pub fn render(results: &Results) -> Result<String, Cause> {
    let starts: Vec<_> = results
        .functions
        .iter()
        .filter_map(|measured| {
            let values = measured.jobs.first()?.times.iter().map(|times| (times.kind, times.start.median));
            Some(Row { name: measured.slug.clone(), values: values.collect() })
        })
        .collect();
    let requests: Vec<_> = timed_jobs(results)
        .map(|(measured, job)| {
            let values = Kind::ALL.iter().filter_map(|kind| Some((*kind, times(job, *kind)?.processor.median)));
            let name = match job.name.as_str() {
                "request" => measured.slug.clone(),
                other => format!("{}, {other}", measured.slug),
            };
            Row { name, values: values.collect() }
        })
        .collect();
    let rows = u32::try_from(starts.len().max(requests.len()))?;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (1340, 150 + ROW_HEIGHT * rows)).into_drawing_area();
        area.fill(&WHITE)?;
        let (header, plots) = area.split_vertically(50);
        legend(&header)?;
        let (left, right) = plots.split_horizontally(670);
        panel(&left, "From start to the first call for a request, milliseconds", &starts)?;
        panel(&right, "A warm request on the processor, milliseconds", &requests)?;
        area.present()?;
    }
    Ok(svg)
}

fn legend(area: &Area) -> Result<(), Cause> {
    let text = ("sans-serif", 16).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    for (x, kind) in (NAME_WIDTH..).step_by(150).zip(Kind::ALL) {
        area.draw(&Circle::new((x, 28), 6, colour(kind).filled()))?;
        area.draw(&Text::new(kind.name(), (x + 12, 28), &text))?;
    }
    Ok(())
}

fn panel(area: &Area, title: &str, rows: &[Row]) -> Result<(), Cause> {
    let values = || rows.iter().flat_map(|row| row.values.iter().map(|(_, value)| *value));
    let lowest = power_of_ten(values().fold(f64::INFINITY, f64::min).log10().floor()) * AXIS_START;
    let highest = power_of_ten(values().fold(0.0, f64::max).log10().ceil());
    let count = f64::from(u32::try_from(rows.len())?);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 17))
        .margin(10)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(NAME_WIDTH - 10)
        .build_cartesian_2d((lowest..highest).log_scale(), 0.0..count)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(RGBColor(236, 236, 236))
        .bold_line_style(RGBColor(205, 205, 205))
        .x_label_style(("sans-serif", 14))
        .x_label_formatter(&|value| value.to_string())
        .draw()?;
    let (left, _) = chart.plotting_area().get_pixel_range();
    let name = ("sans-serif", 15).into_font().color(&BLACK).pos(Pos::new(HPos::Right, VPos::Center));
    for (row, y) in rows.iter().rev().zip((0..).map(|index| f64::from(index) + 0.5)) {
        chart.draw_series(LineSeries::new([(lowest, y), (highest, y)], RGBColor(215, 215, 215)))?;
        chart.draw_series(
            row.values.iter().rev().map(|(kind, value)| Circle::new((*value, y), 6, colour(*kind).filled())),
        )?;
        let (_, pixel) = chart.backend_coord(&(lowest, y));
        let (area_left, area_top) = area.get_base_pixel();
        area.draw(&Text::new(row.name.as_str(), (left.start - area_left - 10, pixel - area_top), &name))?;
    }
    Ok(())
}

/// Returns the colour of an implementation, from a palette that suits colour-blind readers.
fn colour(kind: Kind) -> RGBColor {
    match kind {
        Kind::Function => RGBColor(213, 94, 0),
        Kind::Bare => RGBColor(0, 0, 0),
        Kind::Hello => RGBColor(150, 150, 150),
        Kind::Node => RGBColor(0, 158, 115),
        Kind::Python => RGBColor(0, 114, 178),
    }
}

fn power_of_ten(exponent: f64) -> f64 {
    10_f64.powf(exponent)
}
