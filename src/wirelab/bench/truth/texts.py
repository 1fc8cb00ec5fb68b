"""Paragraphs of the page, by part."""

KNOWN = """\
Servers of our own (`bench/truth`) keep each request for a time that they draw from a known
distribution, and write down of each when it came, when its turn began, when it was answered, and
what had been decided. `constant` keeps each for 10 ms; `stalls` too, and stands still for 200 ms
every 2 s; `bimodal` keeps one of 12 for 60 ms; `heavy` has the tail 1/x^1.5, from 10 ms to 2 s;
`queue-47` and `queue-67` serve one request after the other and are busy for 47 and 67 % of the
time. `open` is 500 requests/s, `fast` 20,000, `closed` a loop of 10 users, `paced` a request every
50 ms; in `fanout` each of 1,000 users sends a message a second, over WebSocket, for the 49 others
of its board, and deliveries are what is timed: about 50,000 a second.

*decided* is what the server had decided for **all** requests, disturbed or not, each taken at its
intended time: waiting for those before it, and nothing that the host did. *answered* is when the
server's log says that it had handed the answer to its socket, for all of them as well, less what
the generator was late by: the ruler's own lateness is no excuse for the ruler. *measured* is
wirelab's figure, after censoring, and *with all* its figure without.

*truth* is what a figure is held to. On a quiet host it is *answered*. A program asks for 10 ms and
wakes up a little later, now and then some milliseconds later: who waits for it waits for that,
too, and a ruler that found 10 ms would be wrong. Beside the neighbour *answered* holds what the
neighbour did, which is to be left out. There *truth* is *decided*, and in addition what this
server was later than decided, at the same percentile, on the quiet host.

*by chance* says how far a percentile of so many requests, drawn from all, is off in one draw of
twenty: where it is beyond the bound, the bound asks for more than the data have. Stretches of two
seconds are drawn, because requests in a queue, on one connection or in a loop are not independent.
The log's requests and the ruler's records are matched one by one, or there is no row;
deliveries are counted by the ruler, and both have the same number of them. Held to the truth are
figures of quiet hosts within 1 %, those beside the neighbour (`./wl neighbour`, 30 % of each
processor's time) within 3 %, and within 10 % where the server's only queue is busy for more than
half of the time; 1 ms is let pass, and p99.9 is judged from 100,000 operations on.

The first half hour brings a row of each load and of each distribution on a quiet host; then come
the same beside the neighbour."""

COVERAGE = """\
Trials of 30 s with 40 operations a second are drawn and measured by the code that measures any
cell; the table says how often the interval of a percentile holds the percentile that all trials
have in common. Trials differ by 5 % (standard deviation of the logarithm), the tail is 1/x^1.5,
*autocorrelation* is that of the normal numbers from which neighbouring operations are drawn, and
beside the neighbour work takes three times as long while one of its processes is busy, for 30 % of
the time each. Percentiles that the data do not support are not printed and are in no share."""

ALIKE = """\
The same contender under two names, in runs of 6 blocks with trials of 3 s at 100 operations a
second. Blocks differ by 5 % and trials by 3 % (standard deviation of the logarithm). *ranked
apart* is what a report claims (max-T over the blocks), *interval without 1* what a reader may
take from the interval of their ratio. Beside the neighbour work takes three times as long while
one of its processes is busy, and what it disturbed is left out by the code of any run. A block in
which a trial does not support the figure is none: ranks need six, a ratio two. Beside the neighbour
half of the time is disturbed on average, in bursts of half a second, and of a trial of 3 s it may
be nearly all: one trial of sixty has fewer than the 11 quiet operations that a median needs, and so
one run of five has a block less. Of the heavy tail it is nearly every second run, because an
operation of seconds that met a burst keeps the rest of its trial from being quiet."""

ALIKE_REAL = """\
The contender `work` and the same program under the name `work-again`: real runs of 6 blocks with 2
trials of 3 s, each run with an order of its own, quiet and beside the neighbour. Judged are ranks
that differ, and intervals of the ratio that do not contain 1. A method with 5 % false claims finds
more than five of forty in 3 % of all attempts, and more than two in a third of them."""

POWER = """\
A server that keeps every request for 10 ms (`wait`) beside one that keeps it for 10.5 ms, and one
that computes (`work`) beside one with 5 % more turns. The scatter s of the logarithm of their
ratio, from 60 blocks, says how many blocks find 5 % with a chance of 90 %; ten runs of so many
blocks follow. *found*: the slower one is ranked below and the interval of the ratio does not
contain 1. A run may take 10 minutes quiet and 15 beside the neighbour; where s asks for more, it
is said and not measured. A median that contains more than the delay is slower by less than 5 %."""

AGREEMENT = """\
The contenders of suites in one run of 12 blocks: in every other block the neighbour takes 30 % of
each processor's time. Quiet and disturbed blocks are analysed apart, each as a run of its
own, and every cell is shown by the figure that its scenario ranks first. Asked for are a figure
beside the neighbour in 90 % of the cells that have one quiet, and in 90 % of these a ratio of quiet
to disturbed within 15 % of 1."""
