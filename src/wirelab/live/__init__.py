"""Live metrics: figures of the trial under way, as Prometheus text, pushed or to be scraped.

For looking only. This room reads what a trial leaves in its folder while it runs, and ``/proc``;
it touches nothing that measures, and no figure of a report comes from here.
"""
