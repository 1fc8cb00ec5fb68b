using System.Text;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>Counts and times of an operation in one second after tick 0; lines of the same second add up.</summary>
/// <param name="Second">Counted by the intended time.</param>
/// <param name="Operation">Its name.</param>
/// <param name="Step">The step of a closed loop; empty in any other.</param>
/// <param name="Counts">Exact counts, by name.</param>
/// <param name="Service">How long it took from its start; left out when empty.</param>
/// <param name="Response">How long from its intended time; left out when empty.</param>
public sealed record Interval(
    long Second, string Operation, string Step, IReadOnlyList<(string Name, long Count)> Counts,
    Histogram? Service = null, Histogram? Response = null);

/// <summary>The interval file, for what happens too often for a record each. For one thread at a time.</summary>
public sealed class IntervalFile(string path) : IDisposable
{
    private readonly FileStream _out = new(path, FileMode.Create, FileAccess.Write, FileShare.Read, 1 << 16);

    /// <summary>Writes a line.</summary>
    public void Write(Interval interval)
    {
        var line = new JsonObject { ["second"] = interval.Second, ["operation"] = interval.Operation };
        if (interval.Step.Length > 0)
        {
            line["step"] = interval.Step;
        }
        line["counts"] = new JsonObject(
            interval.Counts.Select(one => KeyValuePair.Create(one.Name, (JsonNode?)one.Count)));
        Put(line, "service", interval.Service);
        Put(line, "response", interval.Response);
        _out.Write(Encoding.UTF8.GetBytes(line.ToJsonString() + "\n"));
    }

    /// <summary>Makes what was written visible to readers of the file.</summary>
    public void Flush() => _out.Flush();

    /// <summary>Writes what is left, and closes the file.</summary>
    public void Dispose() => _out.Dispose();

    private static void Put(JsonObject line, string name, Histogram? histogram)
    {
        if (histogram is { Count: > 0 })
        {
            line[name] = histogram.Encoded();
        }
    }
}
