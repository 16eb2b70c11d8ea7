# The svg device of R. Argument: file.
svg(commandArgs(TRUE)[1], width = 6.4, height = 4.8, family = "NanumGothic")
par(mar = c(0, 0, 2, 0))
plot(NULL, xlim = c(0, 640), ylim = c(480, 0), axes = FALSE, ann = FALSE, asp = 1)
title("Small hall")
block <- function(x, y, fill, label, ...) {
  polygon(x, y, col = fill, ...)
  text(mean(range(x)), mean(range(y)), label)
}
bow <- function(from, to, y, sag) {
  t <- seq(0, 1, by = 0.1)
  list(x = from + (to - from) * t, y = y + 4 * sag * t * (1 - t))
}
ring <- function(front, back) list(x = c(front$x, back$x), y = c(front$y, back$y))
block(c(200, 440, bow(410, 230, 96, 15)$x), c(40, 40, bow(410, 230, 96, 15)$y), "#f7d794", "Stage")
block(c(60, 200, 200, 40), c(140, 152, 262, 244), "#4f81bd", "A구역")
centre <- ring(bow(215, 425, 152, 11), bow(425, 215, 262, 12))
block(centre$x, centre$y, "#c0504d", "B구역")
block(c(580, 440, 440, 600), c(140, 152, 262, 244), "#9bbb59", "C구역")
balcony <- ring(bow(70, 570, 300, 34), bow(590, 50, 390, 38))
block(balcony$x, balcony$y, "#8064a2", "2층", density = 12, angle = 30)
arrows(320, 474, 320, 440, length = 0.1)
invisible(dev.off())
