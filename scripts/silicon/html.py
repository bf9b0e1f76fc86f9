"""Pieces of a page that needs nothing but itself: tables and drawings, as text."""

from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #d0d7de; --faint: #f6f8fa;
  --red: #ffd7d5; --green: #dafbe1; --yellow: #fff8c5; --wrong: #cf222e; --right: #1a7f37; --care: #9a6700; --grey: #57606a }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --faint: #161b22;
  --red: #67060c; --green: #033a16; --yellow: #4b3b02; --wrong: #ff7b72; --right: #3fb950; --care: #d29922; --grey: #9198a1 } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 78rem; padding: 1rem 1.5rem; color: var(--ink); background: var(--paper) }
h1 { margin-bottom: .2rem } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line) }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .6rem 0 } .wide { overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: right } th { background: var(--faint) } td:not(.text) { white-space: nowrap }
td.text, th.text { text-align: left } td.bad { background: var(--red); font-weight: bold } td.good { background: var(--green) } td.low { background: var(--yellow) }
.banner { background: var(--yellow); border: 2px solid var(--care); padding: .6rem 1rem; font-size: 1.1rem }
.verdict { border-left: .5rem solid var(--grey); background: var(--faint); padding: .6rem 1rem; margin: 1rem 0 }
.verdict.red { border-color: var(--wrong); background: var(--red) } .verdict.green { border-color: var(--right); background: var(--green) }
summary { cursor: pointer } code { background: var(--faint) } svg text { font: 11px system-ui, sans-serif; fill: var(--ink) } svg line { stroke: var(--line) }
.above { color: var(--wrong) }
"""


def text(value):
    return escape(str(value), quote=True)


def number(value):
    """A number with thin spaces, or nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}".replace(",", "\u202f")
    return f"{value:,}".replace(",", "\u202f") if isinstance(value, int) else text(value)


class Cell:
    """A cell with a class, such as `bad`."""

    def __init__(self, value, kind):
        self.value, self.kind = value, kind


def table(heads, rows):
    """A table. A column whose head begins with a space is one of numbers."""
    if not rows:
        return "<p>None.</p>"
    marks = ["" if head.startswith(" ") else ' class="text"' for head in heads]
    lines = ["<tr>" + "".join(f"<th{mark}>{text(head.strip())}</th>" for head, mark in zip(heads, marks)) + "</tr>"]
    for row in rows:
        cells = []
        for value, mark in zip(row, marks):
            if isinstance(value, Cell):
                side = "text " if mark else ""
                cells.append(f'<td class="{side}{value.kind}">{number(value.value)}</td>')
            else:
                cells.append(f"<td{mark}>{number(value)}</td>")
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return '<div class="wide"><table>' + "\n".join(lines) + "</table></div>"


def details(summary, body):
    return f"<details><summary>{summary}</summary>{body}</details>"


class Plot:
    """A drawing with a logarithmic or a linear axis upwards."""

    def __init__(self, width, height, across, up, log=False):
        import math
        self.width, self.height, self.across, self.up = width, height, across, up
        self.scale = math.log10 if log else float
        self.left, self.low = 60, 30
        self.parts = []

    def x(self, value):
        least, most = self.across
        return self.left + (value - least) / ((most - least) or 1) * (self.width - self.left - 10)

    def y(self, value):
        least, most = self.scale(self.up[0]), self.scale(self.up[1])
        return self.height - self.low - (self.scale(value) - least) / ((most - least) or 1) * (self.height - self.low - 10)

    def dot(self, x, y, colour, title, hollow=False):
        fill = f'fill="none" stroke="{colour}"' if hollow else f'fill="{colour}"'
        self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3" {fill}><title>{text(title)}</title></circle>')

    def line(self, points, colour, dashed=False):
        places = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')

    def mark(self, value, label):
        """A line across at a value of the axis upwards."""
        y = self.y(value)
        self.parts.append(f'<line x1="{self.left}" x2="{self.width - 10}" y1="{y:.1f}" y2="{y:.1f}"/>'
                          f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{text(label)}</text>')

    def note(self, x, y, label, anchor="start"):
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text(label)}</text>')

    def svg(self, label):
        return (f'<svg role="img" aria-label="{text(label)}" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'style="max-width:100%">{"".join(self.parts)}</svg>')
