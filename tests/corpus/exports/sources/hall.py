"""The hall of hall.json, for the Python scripts."""

import json
import pathlib

HALL = json.loads(pathlib.Path(__file__).with_name("hall.json").read_text("utf-8"))
WIDTH, HEIGHT = HALL["width"], HALL["height"]
STAGE, AREAS, ARROW = HALL["stage"], HALL["areas"], HALL["arrow"]


def d(path):
    """Formats a path as the value of an SVG `d` attribute."""
    return " ".join(" ".join(str(part) for part in command) for command in path)


def seats():
    """Yields the centre and the radius of each seat."""
    layout = HALL["seats"]
    x, y = layout["first"]
    for row in range(layout["rows"]):
        for column in range(layout["columns"]):
            yield x + column * layout["step"], y + row * layout["step"], layout["radius"]


def points(path, steps=8):
    """Flattens a path into the vertices of a polygon."""
    vertices = []
    for letter, *numbers in path:
        if letter in "ML":
            vertices.append(tuple(numbers))
        elif letter == "C":
            start = vertices[-1]
            ends = [start, *zip(numbers[::2], numbers[1::2])]
            for step in range(1, steps + 1):
                t = step / steps
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                vertices.append(
                    tuple(round(sum(w * p[axis] for w, p in zip(weights, ends)), 2) for axis in (0, 1))
                )
    return vertices
