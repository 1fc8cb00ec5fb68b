using System.Buffers.Binary;
using System.IO.Compression;
using System.Text.Json.Nodes;
using Wirelab;
using static Wirelab.Test.Vectors;

namespace Wirelab.Test;

/// <summary>The interval file, and what is counted until it is written.</summary>
internal static class Intervals
{
    /// <summary>Lines of the interval file, whose histograms are compared as they were before compression.</summary>
    public static int Compare(JsonNode vectors, string scratch)
    {
        JsonArray cases = vectors["intervals"]!.AsArray();
        foreach (JsonNode? one in cases)
        {
            JsonObject fields = one!["fields"]!.AsObject();
            using (var file = new IntervalFile(scratch))
            {
                file.Write(new Interval(
                    (long)fields["second"]!, (string)fields["operation"]!, (string?)fields["step"] ?? "",
                    fields["counts"]!.AsObject().Select(count => (count.Key, (long)count.Value!)).ToList(),
                    HistogramOf(one["service_ns"]!), HistogramOf(one["response_ns"]!)));
            }
            JsonObject line = JsonNode.Parse(File.ReadAllBytes(scratch))!.AsObject();
            foreach (string name in new[] { "service", "response" })
            {
                Equal(Inflated((string)one[name]!), Inflated((string?)line[name] ?? ""));
                line.Remove(name);
            }
            Equal(true, JsonNode.DeepEquals(fields, line));
        }
        return cases.Count;
    }

    /// <summary>Takes out seconds once they are old enough; how many those were.</summary>
    public static int TakeOut()
    {
        const long Second = 1_000_000_000;
        var kept = new BySecond<List<long>>(() => []);
        kept.StartAt(10 * Second);
        foreach (long ns in new[] { 14 * Second, 9 * Second, (11 * Second) - 1, 11 * Second })
        {
            kept.At(ns).Add(ns);
        }
        int seconds = 0;
        seconds += Taken("", kept.Settled((13 * Second) - 1, 2));
        seconds += Taken($"0: {9 * Second} {(11 * Second) - 1}", kept.Settled(13 * Second, 2));
        kept.At(10 * Second).Add(1);
        seconds += Taken($"0: 1, 1: {11 * Second}, 4: {14 * Second}", kept.All());
        seconds += Taken("", kept.All());
        return seconds;
    }

    private static int Taken(string expected, IReadOnlyList<(long Second, List<long> Counts)> found)
    {
        Equal(expected, string.Join(", ", found.Select(one => $"{one.Second}: {string.Join(' ', one.Counts)}")));
        return found.Count;
    }

    private static Histogram HistogramOf(JsonNode durations)
    {
        var histogram = new Histogram();
        foreach (JsonNode? ns in durations.AsArray())
        {
            histogram.Add((long)ns!);
        }
        return histogram;
    }

    private static string Inflated(string encoded)
    {
        if (encoded.Length == 0)
        {
            return "";
        }
        byte[] bytes = Convert.FromBase64String(encoded);
        Equal(bytes.Length - 8, BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(4)));
        using var zlib = new ZLibStream(new MemoryStream(bytes, 8, bytes.Length - 8), CompressionMode.Decompress);
        var payload = new MemoryStream();
        zlib.CopyTo(payload);
        return Convert.ToHexString(bytes.AsSpan(0, 4)) + Convert.ToHexString(payload.ToArray());
    }
}
