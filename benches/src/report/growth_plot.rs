//! Plot of growing costs.

use domain::error::Cause;
use plotters::{coord::Shift, prelude::*};

use super::{markdown::real, peers_plot::AXIS_START};
use crate::measure::growth::{Growth, Point};

const INSTRUCTIONS: RGBColor = RGBColor(213, 94, 0);
const MEMORY: RGBColor = RGBColor(0, 114, 178);

/// Draws a row for each quantity: instructions and memory.
///
/// # Errors
///
/// Returns an error if it cannot be drawn.
pub fn render(growths: &[Growth]) -> Result<String, Cause> {
    let mut svg = String::new();
    {
        let rows = growths.len();
        let area = SVGBackend::with_string(&mut svg, (1040, 320 * u32::try_from(rows)?)).into_drawing_area();
        area.fill(&WHITE)?;
        let panels = area.split_evenly((rows, 2));
        for (growth, panels) in growths.iter().zip(panels.chunks(2)) {
            let [left, right] = panels else { continue };
            let instructions = |point: &Point| real(point.instructions) / 1e6;
            panel(left, growth, "million instructions", INSTRUCTIONS, instructions)?;
            panel(right, growth, "peak memory, MB", MEMORY, |point| real(point.peak) / 1e6)?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    growth: &Growth,
    unit: &str,
    colour: RGBColor,
    value: impl Fn(&Point) -> f64,
) -> Result<(), Cause> {
    let points: Vec<_> = growth.points.iter().map(|point| (real(point.size as u64), value(point))).collect();
    let sizes = points.iter().map(|(size, _)| *size);
    let values = points.iter().map(|(_, value)| *value);
    // Axes span whole decades, so that each has labels.
    let decades = |lowest: f64, highest: f64| {
        let (first, last) = (lowest.log10().floor(), highest.log10().ceil());
        10_f64.powf(first) * AXIS_START..10_f64.powf(last.max(first + 1.0))
    };
    let x = decades(sizes.clone().fold(f64::INFINITY, f64::min), sizes.fold(0.0, f64::max));
    let y = decades(values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}: {unit}", growth.slug), ("sans-serif", 17))
        .margin(12)
        .margin_right(24)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .build_cartesian_2d(x.log_scale(), y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(growth.over.as_str())
        .light_line_style(RGBColor(238, 238, 238))
        .bold_line_style(RGBColor(210, 210, 210))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .x_label_formatter(&|value| value.to_string())
        // Without rounding, some labels would have 16 decimals.
        .y_label_formatter(&|value| ((value * 1e3).round() / 1e3).to_string())
        .draw()?;
    chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
    chart.draw_series(points.iter().map(|point| Circle::new(*point, 5, colour.filled())))?;
    Ok(())
}
