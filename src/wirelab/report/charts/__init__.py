"""Charts as Vega-Lite specifications in panels; forms draw them as SVG without a browser."""

from wirelab.report.charts.by_mode import by_mode
from wirelab.report.charts.distribution import drift_distribution, latency_distribution
from wirelab.report.charts.flow import network_over_time, rate_over_time
from wirelab.report.charts.glance import at_a_glance
from wirelab.report.charts.split import split_by_percentile
from wirelab.report.charts.time import latency_and_users, latency_over_time, resources_over_time

__all__ = [
    "at_a_glance",
    "by_mode",
    "drift_distribution",
    "latency_and_users",
    "latency_distribution",
    "latency_over_time",
    "network_over_time",
    "rate_over_time",
    "resources_over_time",
    "split_by_percentile",
]
