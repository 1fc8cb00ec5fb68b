"""Write all pages of reference anew."""

from __future__ import annotations

from wirelab.reference import commands, gates, manifests, metrics

for written in (commands, manifests, metrics):
    written.PAGE.write_text(written.page(), "utf-8")
gates.PAGE.write_text(gates.with_table(gates.PAGE.read_text("utf-8")), "utf-8")
