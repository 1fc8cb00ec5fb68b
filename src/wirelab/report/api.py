"""Everything that the report of a suite is written with: ``report.py`` and its ``chapters/`` import
this module, the standard library and each other, and nothing else.

A suite's ``compose(context)`` returns a ``Document``. Figures come from a ``CellTable``; what this
module gives to make tables, sentences and judgements of them keeps their intervals and verdicts.
"""

from __future__ import annotations

from wirelab.gates import generator_saturated
from wirelab.gates.wording import evidence_lines
from wirelab.gates.wording import title_of as gate_title
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.trial import OF_TOO_LITTLE
from wirelab.report import advice, claims, generic, microbenchmark, remarks, sections, steps
from wirelab.report.advice import Choice, Situation
from wirelab.report.answers import own_statements
from wirelab.report.cell_table import CellTable, comparisons_of, stepped
from wirelab.report.charts import (
    latency_and_users,
    latency_over_time,
    network_over_time,
    rate_over_time,
    resources_over_time,
)
from wirelab.report.charts.counted import counted as chart_of_counts
from wirelab.report.charts.steps import Derived
from wirelab.report.charts.steps import by_mark as chart_by_mark
from wirelab.report.charts.steps import by_step as chart_by_step
from wirelab.report.charts.strips import Mark, strip
from wirelab.report.claims import ComparedPair, Rule, StatementAnswer, open_because
from wirelab.report.context import Context, usable_value, value_of
from wirelab.report.declared import study_statements, study_tally
from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Bullets,
    Callout,
    Chart,
    Column,
    Command,
    Definitions,
    Details,
    Document,
    Figure,
    Head,
    LegendItem,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    WordsCell,
    cell,
    marked,
    paragraph,
    plain,
    text,
)
from wirelab.report.figures import figure
from wirelab.report.highlights import Highlight, Highlights
from wirelab.report.judging import (
    LESS,
    MORE,
    SAME,
    TRIALS,
    RatioBand,
    Standing,
    compared,
    judge,
    limited,
    trials_of,
    whole,
)
from wirelab.report.loads import users_of
from wirelab.report.ratios import multiple, ratio_words, times
from wirelab.report.searched import failed_with as capacity_failed_with
from wirelab.report.searched import held_of as capacity_held
from wirelab.report.sections.overview import first_screen
from wirelab.report.tabulate import (
    DASH,
    FigureColumn,
    contender_head,
    measured,
    notes_for,
    published_cell,
    published_row,
    unit_of,
)
from wirelab.stats.ratio import Ratio, ratio
from wirelab.words import numbers
from wirelab.words.failures import failure_words
from wirelab.words.series import series
from wirelab.words.translation import N_

# In groups, by what they are for.
__all__ = [  # noqa: RUF022
    # the run and its cells
    "CellTable",
    "Context",
    "Cell",
    "Metric",
    "Verdict",
    "comparisons_of",
    "stepped",
    "usable_value",
    "value_of",
    "users_of",
    # the document
    "Document",
    "Section",
    "Block",
    "Paragraph",
    "Bullets",
    "Definitions",
    "Details",
    "Callout",
    "Command",
    "Chart",
    "LegendItem",
    "Table",
    "Column",
    "RowGroup",
    "Row",
    "Head",
    "TableCell",
    "Plain",
    "WordsCell",
    "Figure",
    "Badge",
    "Absent",
    "Text",
    "cell",
    "marked",
    "paragraph",
    "plain",
    "text",
    # figures as entries of tables
    "DASH",
    "FigureColumn",
    "capacity_failed_with",
    "capacity_held",
    "OF_TOO_LITTLE",
    "failure_words",
    "Highlight",
    "Highlights",
    "contender_head",
    "figure",
    "measured",
    "notes_for",
    "published_cell",
    "published_row",
    "unit_of",
    # ratios and how statements are judged
    "LESS",
    "MORE",
    "SAME",
    "TRIALS",
    "RatioBand",
    "Ratio",
    "Standing",
    "compared",
    "judge",
    "limited",
    "multiple",
    "ratio",
    "ratio_words",
    "times",
    "trials_of",
    "whole",
    # what follows from figures: statements of a study and of the report, choices, who leads
    "StatementAnswer",
    "ComparedPair",
    "Choice",
    "Rule",
    "Situation",
    "advice",
    "claims",
    "open_because",
    "remarks",
    "own_statements",
    "study_statements",
    "study_tally",
    # sections, tables and charts that any report may have
    "Derived",
    "Mark",
    "chart_by_mark",
    "chart_by_step",
    "chart_of_counts",
    "first_screen",
    "generic",
    "latency_and_users",
    "latency_over_time",
    "microbenchmark",
    "network_over_time",
    "rate_over_time",
    "resources_over_time",
    "sections",
    "series",
    "steps",
    "strip",
    # words
    "N_",
    "evidence_lines",
    "gate_title",
    "generator_saturated",
    "numbers",
]
