"""Paragraphs of the page, by part."""

KNOWN = """\
Servers of our own (`bench/truth`) keep each request for a time that they draw from a known
distribution, and write down of each when it came, when its turn began, when it was answered, and
what had been decided. `constant` keeps each for 10 ms; `stalls` too, and stands still for 200 ms
every 2 s; `bimodal` keeps one of 20 for 60 ms; `heavy` has the tail 1/x^1.5, from 10 ms to 2 s;
`queue-47` and `queue-67` serve one request after the other and are busy for 47 and 67 % of the
time. `open` is 500 requests/s, `fast` 20,000, `closed` a loop of 10 users.

*truth* is what the server decided for **all** requests, disturbed or not, each taken at its
intended time: waiting for those before it, and nothing that the host did. *answered* is when they
really were, by the server's clock. *measured* is wirelab's figure, after censoring, and *with all*
its figure without. *by chance* says how far a percentile of so many requests, drawn from all, is
off in one draw of twenty: where it is beyond the bound, the bound asks for more than the data have
(of queues it is more, because requests that wait for each other are not independent). The log's
requests and the ruler's records are matched one by one, or there is no row. Held to the truth are
figures of quiet hosts within 1 %, those beside the neighbour (`./wl neighbour`, 30 % of each
processor's time) within 3 %, and within 10 % where the server's only queue is busy for more than
half of the time; 1 ms is let pass, and p99.9 is judged from 100,000 operations on."""
