"""Qt's QSvgGenerator. Argument: file."""

import sys

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QGuiApplication, QLinearGradient, QPainter, QPainterPath, QPen
from PySide6.QtSvg import QSvgGenerator

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, seats

application = QGuiApplication([*sys.argv[:1], "-platform", "offscreen"])


def outline(path):
    result = QPainterPath()
    calls = {"M": result.moveTo, "L": result.lineTo, "C": result.cubicTo, "Z": result.closeSubpath}
    for letter, *numbers in path:
        calls[letter](*numbers)
    return result


def label(text, at):
    painter.drawText(QRect(at[0] - 80, at[1] - 24, 160, 40), Qt.AlignmentFlag.AlignCenter, text)


generator = QSvgGenerator()
generator.setFileName(sys.argv[1])
generator.setSize(QSize(WIDTH, HEIGHT))
generator.setViewBox(QRect(0, 0, WIDTH, HEIGHT))
generator.setTitle("Small hall")
generator.setDescription("Stage, three blocks and a balcony")
painter = QPainter(generator)
painter.setFont(QFont("NanumGothic", 14))
wood = QLinearGradient(QPointF(0, 40), QPointF(0, 112))
wood.setColorAt(0, QColor(STAGE["fill"][0]))
wood.setColorAt(1, QColor(STAGE["fill"][1]))
painter.setBrush(QBrush(wood))
painter.drawPath(outline(STAGE["path"]))
label(STAGE["label"], STAGE["at"])
for area in AREAS:
    painter.setBrush(QColor(area["fill"]))
    painter.drawPath(outline(area["path"]))
    label(area["label"], area["at"])
painter.setBrush(QColor("white"))
for x, y, radius in seats():
    painter.drawEllipse(QPointF(x, y), radius, radius)
painter.setPen(QPen(QColor("#333333"), 2, Qt.PenStyle.DashLine))
painter.drawLine(*ARROW["from"], *ARROW["to"])
painter.end()
