namespace Wirelab.Messaging;

/// <summary>Counts of deliveries in one second, as a line of the interval file has them.</summary>
/// <param name="open">Whether the loop is open: a closed one has no response times.</param>
internal sealed class Tally(bool open)
{
    private readonly Histogram _service = new();
    private readonly Histogram? _response = open ? new Histogram() : null;

    public long Expected { get; set; }

    public long Received { get; set; }

    public long Duplicates { get; set; }

    public long Reordered { get; set; }

    public long Held { get; set; }

    public long Wrong { get; set; }

    public long Bytes { get; set; }

    public void Took(long serviceNs, long responseNs)
    {
        _service.Add(serviceNs);
        _response?.Add(responseNs);
    }

    public Interval Line(long second, string step) => new(
        second,
        "delivery",
        _response is null ? step : "",
        [
            ("expected", Expected),
            ("received", Received),
            ("duplicates", Duplicates),
            ("reordered", Reordered),
            ("held", Held),
            ("wrong", Wrong),
            ("bytes", Bytes),
        ],
        _service,
        _response);
}
