using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab;
using Wirelab.Lanes;

namespace Wirelab.Test;

/// <summary>The vectors of the worker contract, which every SDK is tested against.</summary>
internal static class Vectors
{
    /// <summary>Compares all that is in <paramref name="folder"/>, and prints how much that was.</summary>
    public static void Compare(string folder, string scratch)
    {
        JsonNode schedules = Read(folder, "schedule.json");
        JsonNode events = Read(folder, "events.json");
        Console.WriteLine(new JsonObject
        {
            ["timed"] = Timed(schedules),
            ["joins"] = Joins(schedules),
            ["closed"] = Closed(schedules),
            ["samples"] = Samples(Read(folder, "samples.json"), scratch),
            ["published"] = PublishedRecords.Look(scratch),
            ["events"] = EventLines(events),
            ["commands"] = CommandLines(events),
            ["loops"] = BatchVectors.Compare(Read(folder, "batches.json")),
            ["prewarmings"] = BatchVectors.ComparePrewarmings(Read(folder, "batches.json")),
            ["asked"] = AskedLines(Read(folder, "asked.json"), scratch),
            ["intervals"] = Intervals.Compare(Read(folder, "intervals.json"), scratch),
            ["seconds"] = Intervals.TakeOut(),
        });
    }

    private static JsonNode Read(string folder, string name) =>
        JsonNode.Parse(File.ReadAllBytes(Path.Combine(folder, name)))!;

    private static Spec SpecOf(JsonNode vector)
    {
        var spec = new JsonObject
        {
            ["contract"] = 2,
            ["trial"] = "t",
            ["suite"] = "s",
            ["scenario"] = "c",
            ["contender"] = "x",
            ["role"] = "client",
            ["schedule"] = vector["schedule"]!.DeepClone(),
            ["paths"] = new JsonObject { ["samples"] = "a", ["answers"] = "b", ["scratch"] = "c" },
            ["limits"] = new JsonObject { ["ready_ns"] = 1, ["operation_ns"] = (long?)vector["operation_ns"] ?? 2, ["stop_ns"] = 3 },
        };
        return Spec.Of(Fields.Of(Encoding.UTF8.GetBytes(spec.ToJsonString())));
    }

    /// <summary>Ticks of lanes, and that a lane is due at no others; how many lanes and ticks there were.</summary>
    private static JsonArray Timed(JsonNode vectors)
    {
        int lanes = 0, ticks = 0;
        foreach (JsonNode? vector in vectors["timed"]!.AsArray())
        {
            Spec spec = SpecOf(vector!);
            var schedule = new LaneSchedule(spec);
            var ticker = new Ticker(spec.Schedule.FirstNs, spec.Schedule.PeriodNs, () => true);
            Equal(vector!["end_ns"], ticker.IntendedNs(spec.Schedule.Count));
            Equal((long)Int128.Min((Int128)(long)vector["end_ns"]! + 2, long.MaxValue), schedule.EndNs);
            foreach (JsonNode? one in vector["lanes"]!.AsArray())
            {
                long lane = (long)one!["lane"]!;
                Equal(one["shift_ns"], spec.Schedule.ShiftNs(lane));
                var due = one["due"]!.AsArray().Select(at => ((long)at![0]!, (long)at[1]!)).ToList();
                var found = schedule.DueTurns((int)lane).Select(turn => (turn.Tick, turn.AfterNs)).ToList();
                Equal(string.Join(" ", due), string.Join(" ", found));
                ticks += found.Count;
                lanes++;
            }
        }
        return [lanes, ticks];
    }

    private static int Joins(JsonNode vectors)
    {
        int joins = 0;
        foreach (JsonNode? vector in vectors["timed"]!.AsArray())
        {
            var schedule = new LaneSchedule(SpecOf(vector!));
            foreach (JsonNode? join in vector!["joins"]!.AsArray())
            {
                Equal(join![1], schedule.JoinOf((int)join[0]!)!.AfterNs);
                joins++;
            }
        }
        return joins;
    }

    private static int Closed(JsonNode vectors)
    {
        int steps = 0;
        foreach (JsonNode? vector in vectors["closed"]!.AsArray())
        {
            var schedule = new LaneSchedule(SpecOf(vector!));
            Equal(true, schedule.Closed);
            JsonArray expected = vector!["steps"]!.AsArray();
            foreach ((Step step, JsonNode? one) in schedule.Steps.Zip(expected))
            {
                Equal((long?)one!["at_most_ns"] ?? long.MaxValue, schedule.AtMostNs(step.Count - step.Settle));
                steps++;
            }
        }
        return steps;
    }

    private static int Samples(JsonNode vectors, string scratch)
    {
        var recorder = new Recorder(scratch);
        var expected = new StringBuilder((string)vectors["header"]!);
        JsonArray records = vectors["records"]!.AsArray();
        foreach (JsonNode? record in records)
        {
            recorder.Record(
                (long)record!["intended_ns"]!, (long)record["start_ns"]!, (long)record["end_ns"]!,
                (long)record["size"]!, (byte)record["op"]!, (byte)record["status"]!, (ushort)record["lane"]!);
            expected.Append((string)record["bytes"]!);
        }
        recorder.Dispose();
        Equal(expected.ToString(), Convert.ToHexString(File.ReadAllBytes(scratch)).ToLowerInvariant());
        return (int)recorder.Count;
    }

    private static JsonObject EventLines(JsonNode vectors)
    {
        var kinds = new JsonObject();
        foreach (JsonNode? vector in vectors["events"]!.AsArray())
        {
            var output = new MemoryStream();
            string kind = (string)vector!["event"]!;
            Say(new Events(output), kind, vector.AsObject());
            byte[] line = output.ToArray();
            Equal(line.Length - 1, Array.IndexOf(line, (byte)'\n'));
            JsonObject found = JsonNode.Parse(line)!.AsObject();
            foreach ((string name, JsonNode? value) in vector.AsObject())
            {
                Equal(true, JsonNode.DeepEquals(value, found[name]));
            }
            kinds[kind] = (int?)kinds[kind] + 1 ?? 1;
        }
        return kinds;
    }

    private static void Say(Events events, string kind, JsonObject said)
    {
        switch (kind)
        {
            case "ready":
                events.Ready(said.DeepClone().AsObject());
                break;
            case "progress":
                events.Progress((long)said["records"]!);
                break;
            case "step":
                events.Step((string)said["name"]!, (long)said["begin_ns"]!, (long)said["end_ns"]!);
                break;
            case "error":
                var fault = new Fault(
                    Scope.Call, (string)said["class"]!, (string)said["status"]!, (string)said["message"]!);
                events.Error(fault, (string)said["operation"]!, (long)said["intended_ns"]!, 1);
                break;
            case "done":
                events.Done((long)said["records"]!, (long)said["answers"]!, (string)said["checksum"]!);
                break;
            default:
                throw new JsonException(kind);
        }
    }

    /// <summary>Checks what is written for answers that are asked for, and counts those that were given.</summary>
    private static int AskedLines(JsonNode vectors, string scratch)
    {
        int given = 0;
        foreach (JsonNode? played in vectors["cases"]!.AsArray())
        {
            using (var answers = new LineFile(scratch))
            using (var recorder = new Recorder($"{scratch}.samples"))
            {
                var asked = new Asked(answers, recorder);
                foreach (JsonNode? one in played!["does"]!.AsArray())
                {
                    Play(asked, one!);
                }
            }
            var found = new JsonArray();
            foreach (string line in File.ReadAllLines(scratch))
            {
                JsonObject written = JsonNode.Parse(line)!.AsObject();
                given += written.Remove("pause") && written.Remove("records") ? 1 : 0;
                found.Add((JsonNode)written);
            }
            if (!JsonNode.DeepEquals(played!["lines"], found))
            {
                throw new InvalidDataException($"{played["name"]}: expected {played["lines"]}, found {found}");
            }
        }
        return given;
    }

    private static void Play(Asked asked, JsonNode one)
    {
        int lane = (int)one["lane"]!;
        switch ((string)one["does"]!)
        {
            case "begin":
                asked.Lane(lane).Begin();
                break;
            case "ask":
                asked.Hear(new Asking((long)one["asked"]!, (string)one["operation"]!, lane));
                break;
            default:
                asked.Lane(lane).End(one["results"]!.AsArray().Select(ended => new Result(
                    (string)ended!["operation"]!, (long)one["tick"]!, (long)ended["start_ns"]!, (long)ended["end_ns"]!,
                    ended["answer"] is JsonObject answer ? () => answer : null)).ToList());
                break;
        }
    }

    private static int CommandLines(JsonNode vectors)
    {
        JsonArray commands = vectors["commands"]!.AsArray();
        foreach (JsonNode? command in commands)
        {
            string line = (string)command!["line"]!;
            var heard = new Commands(new Held(line), _ => { });
            heard.Listen();
            Equal((long?)command["start_ns"], heard.AwaitStart());
            heard.RefuseFailure();
        }
        var failing = new Commands(
            new Held("""{"command": "answer", "asked": 0, "operation": "read", "lane": 0}"""),
            _ => throw new IOException("disk full"));
        failing.Listen();
        Equal(null, failing.AwaitStart());
        Equal("disk full", Refused(failing).Message);
        return commands.Count;
    }

    /// <summary>Reason for which commands were not obeyed.</summary>
    private static IOException Refused(Commands commands)
    {
        try
        {
            commands.RefuseFailure();
        }
        catch (IOException failure)
        {
            return failure;
        }
        throw new InvalidDataException("what could not be obeyed is not told");
    }

    private static void Equal(JsonNode? expected, long found) => Equal((long)expected!, found);

    internal static void Equal<T>(T expected, T found)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, found))
        {
            throw new InvalidDataException($"expected {expected}, found {found}");
        }
    }

    /// <summary>A line, after which nothing comes, and which does not end either.</summary>
    private sealed class Held(string line) : MemoryStream(Encoding.UTF8.GetBytes(line + "\n"))
    {
        public override int Read(byte[] buffer, int offset, int count) => Waited(base.Read(buffer, offset, count));

        public override int Read(Span<byte> buffer) => Waited(base.Read(buffer));

        private static int Waited(int read)
        {
            if (read == 0)
            {
                Thread.Sleep(Timeout.Infinite);
            }
            return read;
        }
    }
}
