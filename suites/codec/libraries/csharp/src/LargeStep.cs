using System.Text.Json.Nodes;
using Wirelab;
using Wirelab.Batches;

namespace Codec;

/// <summary>
/// One form and size of large messages: a blob, many records at once, or records one after the other. What is written
/// is made here, as the suite's <c>README.md</c> defines it: byte k of a blob is k mod 251, and record k is point
/// k mod 1,000 of the shape <c>telemetry</c>.
/// </summary>
internal sealed class LargeStep(ILargeCodec codec, string suite, string step)
{
    private const string ToBytes = "to_bytes";
    private const string FromBytes = "from_bytes";
    private const int Megabyte = 1_000_000;
    private const int RecordBytes = 20;
    private const int Modulus = 251;

    /// <summary>The directions, at the ticks of their answers.</summary>
    public static readonly IReadOnlyList<string> Directions = [ToBytes, FromBytes];

    /// <summary>A direction, ready to be done again and again: gives the fold of what came out, and says of it what the
    /// answer needs.</summary>
    private delegate uint Direction(JsonObject told);

    /// <summary>Tells what comes out in either direction, and how much memory it takes.</summary>
    public void Answer(LineFile answers)
    {
        foreach ((string direction, int tick) in Directions.Select((name, tick) => (name, tick)))
        {
            var answer = new Answer("measure", "once", step, tick);
            if (answer.Timed(() => Told(direction)) is JsonObject told)
            {
                answer.Line["answer"] = told;
            }
            answers.Write(answer.Line);
        }
    }

    /// <summary>The loop of a direction; an iteration is all of the data.</summary>
    public Loop Loop(string direction) => new DirectionLoop(Of(direction));

    private JsonObject Told(string direction)
    {
        Direction work = Of(direction);
        var told = new JsonObject();
        if (ResidentMemory.Of(() => work(told)) is (long before, long peak))
        {
            told["before_bytes"] = before;
            told["peak_bytes"] = peak;
        }
        return told;
    }

    private Direction Of(string direction)
    {
        string[] parts = step.Split('-');
        int size = int.Parse(parts[1], System.Globalization.CultureInfo.InvariantCulture) * Megabyte;
        TelemetryPoint[] points = [.. default(TelemetryShape).Read(Subject.Pool(suite, "telemetry")[0]).Points];
        bool writes = direction == ToBytes;
        switch (parts[0])
        {
            case "blob":
                byte[] blob = [.. Enumerable.Range(0, size).Select(k => (byte)(k % Modulus))];
                return writes ? Writes(codec.Blob, blob) : Reads(codec.Blob, blob, content => Fold.Of(content));
            case "whole":
                Telemetry records = Repeated(points, size / RecordBytes);
                return writes ? Writes(codec.Whole, records) : Reads(codec.Whole, records, default(TelemetryShape).Fold);
            case "stream":
                int times = size / RecordBytes / points.Length;
                return writes
                    ? told => RecordStreams.Write(codec, points, times, told)
                    : RecordStreams.Reads(codec, points, times).Invoke;
            default:
                throw new ArgumentException($"no form of large messages is called {parts[0]}");
        }
    }

    /// <summary>So many points, each an object of its own.</summary>
    private static Telemetry Repeated(TelemetryPoint[] points, int count) => new()
    {
        Points = [.. Enumerable.Range(0, count).Select(k => points[k % points.Length]).Select(point =>
            new TelemetryPoint { Time = point.Time, Value = point.Value, Quality = point.Quality })],
    };

    private static Direction Writes<N>(INativeCodec<N> codec, N value) => told =>
    {
        ArraySegment<byte> bytes = codec.Encode(value);
        told["size"] = bytes.Count;
        told["first"] = bytes[0];
        told["middle"] = bytes[bytes.Count / 2];
        told["last"] = bytes[^1];
        return Fold.Of(bytes);
    };

    private static Direction Reads<N>(INativeCodec<N> codec, N value, Func<N, uint> fold)
    {
        ArraySegment<byte> bytes = codec.Encode(value);
        return told =>
        {
            uint sum = fold(codec.Decode(bytes));
            told["fold"] = sum;
            return sum;
        };
    }

    private sealed class DirectionLoop(Direction work) : Loop(1)
    {
        protected override uint Pass(int iterations) => work(new JsonObject());
    }
}
