"""Histograms of the spans for Prometheus, under the names that the study's dashboards use."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

CONTENT_TYPE = CONTENT_TYPE_LATEST

# Seconds. Ten a decade would be a scrape of megabytes; these tell 1.5 from 2.
_BUCKETS = tuple(
    mantissa * 10.0**decade
    for decade in range(-5, 1)
    for mantissa in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
)
_READ = "aerospike_batch_read_all_duration_seconds"
_BY_SPAN = {
    "keys": ("key_extraction_duration_seconds", "From the request to the keys"),
    "read": (_READ, "Multi-gets of all sets, decoded"),
    "features": ("feature_extraction_duration_seconds", "From records to the model's inputs"),
    "inference": ("dlrm_inference_duration_seconds", "The model"),
    "render": ("response_build_duration_seconds", "From scores to bytes"),
    "total": ("predict_duration_seconds", "The request, from the application's first line"),
}


class Metrics:
    """Everything that ``/metrics`` tells of one client."""

    def __init__(self, client: str) -> None:
        self._registry = CollectorRegistry()
        self._spans = {
            span: Histogram(
                name, text, ["client_type"], buckets=_BUCKETS, registry=self._registry
            ).labels(client)
            for span, (name, text) in _BY_SPAN.items()
        }
        sets = Histogram(
            "aerospike_batch_read_set_duration_seconds",
            "Multi-get of one set, decoded",
            ["client_type", "set_name"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._sets = {s: sets.labels(client, f"set_{s}") for s in range(1, 10)}
        self._found = Histogram(
            "aerospike_records_found_ratio",
            "Records found of those asked for",
            ["client_type"],
            buckets=[tenth / 10 for tenth in range(11)],
            registry=self._registry,
        ).labels(client)
        requests = Counter(
            "predict_requests_total", "Requests", ["client_type", "status"], registry=self._registry
        )
        self._requests = {s: requests.labels(client, s) for s in ("success", "error")}
        self.active = Gauge(
            "predict_active_requests", "Under way", ["client_type"], registry=self._registry
        ).labels(client)

    def answered(self, spans: Mapping[str, int], sets: Mapping[int, int], found: float) -> None:
        """A request has ended well; ``spans`` and ``sets`` in nanoseconds."""
        for name, histogram in self._spans.items():
            if name in spans:
                histogram.observe(spans[name] / 1e9)
        for number, ns in sets.items():
            self._sets[number].observe(ns / 1e9)
        self._found.observe(found)
        self._requests["success"].inc()

    def failed(self) -> None:
        """A request has ended in an error."""
        self._requests["error"].inc()

    def text(self) -> bytes:
        """Text of a scrape."""
        return generate_latest(self._registry)
