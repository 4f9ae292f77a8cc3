"""The figure of probabilities in notebooks."""
from __future__ import annotations

import math


def probability_bar(row: dict) -> str:
    """A probability as a bar, with its interval as a line."""
    width = 160

    def at(p: float) -> float:
        return 0.0 if math.isnan(p) else width * min(max(p, 0.0), 1.0)

    line = "" if math.isnan(row["low"]) else (
        f"<line x1='{at(row['low']):.1f}' x2='{at(row['high']):.1f}' y1='7' y2='7' stroke='#111' stroke-width='2'/>")
    return (f"<svg width='{width}' height='14' role='img' aria-label='probability {row['probability']:.3f}' "
            f"style='vertical-align:middle'><rect width='{width}' height='14' fill='#ddd'/>"
            f"<rect width='{at(row['probability']):.1f}' height='14' fill='#2a6f97'/>{line}</svg>")
