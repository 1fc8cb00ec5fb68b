using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab;

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
            ["events"] = EventLines(events),
            ["commands"] = CommandLines(events),
        });
    }

    private static JsonNode Read(string folder, string name) =>
        JsonNode.Parse(File.ReadAllBytes(Path.Combine(folder, name)))!;

    private static Schedule ScheduleOf(JsonNode vector)
    {
        var spec = new JsonObject
        {
            ["contract"] = 1,
            ["trial"] = "t",
            ["suite"] = "s",
            ["scenario"] = "c",
            ["contender"] = "x",
            ["role"] = "client",
            ["schedule"] = vector["schedule"]!.DeepClone(),
            ["paths"] = new JsonObject { ["samples"] = "a", ["answers"] = "b", ["scratch"] = "c" },
            ["limits"] = new JsonObject { ["ready_ns"] = 1, ["operation_ns"] = 2, ["stop_ns"] = 3 },
        };
        return Spec.Of(Fields.Of(Encoding.UTF8.GetBytes(spec.ToJsonString()))).Schedule;
    }

    /// <summary>Ticks of lanes, and that a lane is due at no others; how many lanes and ticks there were.</summary>
    private static JsonArray Timed(JsonNode vectors)
    {
        int lanes = 0, ticks = 0;
        foreach (JsonNode? vector in vectors["timed"]!.AsArray())
        {
            Schedule schedule = ScheduleOf(vector!);
            var ticker = new Ticker(schedule.FirstNs, schedule.PeriodNs, () => true);
            Equal(vector!["end_ns"], ticker.IntendedNs(schedule.Count));
            foreach (JsonNode? one in vector["lanes"]!.AsArray())
            {
                long lane = (long)one!["lane"]!;
                Equal(one["shift_ns"], schedule.ShiftNs(lane));
                var due = one["due"]!.AsArray().Select(at => ((long)at![0]!, (long)at[1]!)).ToList();
                foreach ((long tick, long ns) in due)
                {
                    Equal(ns, schedule.IntendedNs(lane, tick));
                    Equal(true, schedule.DueAt(lane, tick));
                    ticks++;
                }
                if (schedule.Count < 1_000)
                {
                    long found = Enumerable.Range(0, (int)schedule.Count).Count(tick => schedule.DueAt(lane, tick));
                    Equal(due.Count, found);
                }
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
            Schedule schedule = ScheduleOf(vector!);
            foreach (JsonNode? join in vector!["joins"]!.AsArray())
            {
                long user = (long)join![0]!;
                long before = 0;
                foreach (Step step in schedule.Steps)
                {
                    if (before <= user && user < step.Users)
                    {
                        long beginNs = schedule.FirstNs + step.First * schedule.PeriodNs;
                        Equal(join[1], beginNs + step.JoinsAfterNs(user - before, step.Users - before));
                        joins++;
                    }
                    before = step.Users;
                }
            }
        }
        return joins;
    }

    private static int Closed(JsonNode vectors)
    {
        int steps = 0;
        foreach (JsonNode? vector in vectors["closed"]!.AsArray())
        {
            Schedule schedule = ScheduleOf(vector!);
            Equal(true, schedule.Closed);
            JsonArray expected = vector!["steps"]!.AsArray();
            foreach ((Step step, JsonNode? one) in schedule.Steps.Zip(expected))
            {
                long found = schedule.AtMostNs(step.Count - step.Settle, (long)vector["operation_ns"]!);
                Equal((long?)one!["at_most_ns"] ?? long.MaxValue, found);
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

    private static int CommandLines(JsonNode vectors)
    {
        JsonArray commands = vectors["commands"]!.AsArray();
        foreach (JsonNode? command in commands)
        {
            string line = (string)command!["line"]!;
            var heard = new Commands(new Held(line));
            heard.Listen();
            Equal((long?)command["start_ns"], heard.AwaitStart());
            heard.RefuseMisunderstood();
        }
        return commands.Count;
    }

    private static void Equal(JsonNode? expected, long found) => Equal((long)expected!, found);

    private static void Equal<T>(T expected, T found)
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
