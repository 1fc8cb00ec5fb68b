using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab;
using Wirelab.Batches;

namespace Codec;

/// <summary>Reading what others wrote, and what nobody should have written.</summary>
internal sealed class Conformance(Worker worker, BatchPlan plan, string suite, Contender contender)
{
    private const int Lengths = 2_048;

    private readonly string _format = contender.Format;

    /// <summary>Answers what the spec asks of it for a step.</summary>
    public void Of(Subject subject)
    {
        if (plan.Untimed.Contains("read"))
        {
            foreach (BatchInput input in plan.Inputs.Where(input => input.Facts.Text("format") == _format))
            {
                Read(subject, input);
            }
        }
        if (contender.TrustsInput)
        {
            return;
        }
        if (plan.Untimed.Contains("truncate"))
        {
            Truncate(subject);
        }
        if (plan.Untimed.Contains("reject"))
        {
            Reject(subject);
        }
    }

    private void Read(Subject subject, BatchInput input)
    {
        // Values of other lines may be numbers that this reader of JSON does not take.
        foreach (string line in File.ReadLines(input.Answers).Where(line => line.Contains("\"hex\"")))
        {
            JsonElement given = JsonDocument.Parse(line).RootElement;
            bool asked = Has(given, "phase", "preflight") && Has(given, "operation", "encode")
                && Has(given, "step", subject.Step);
            if (asked && given.GetProperty("tick").GetInt64() is long tick && tick < subject.Size
                && !worker.Commands.Stopped)
            {
                byte[] content = Bytes(given.GetProperty("answer"));
                var answer = new Answer("measure", "read", subject.Step, tick);
                answer.Line["from"] = input.Contender;
                Decode(subject, content, answer);
            }
        }
    }

    /// <summary>A prefix counts as accepted when all of it can be read.</summary>
    private void Truncate(Subject subject)
    {
        var answer = new Answer("measure", "truncate", subject.Step, 0);
        byte[]? whole = answer.Timed(() => subject.Encode(0));
        if (whole is not null)
        {
            var accepted = new JsonArray();
            for (int length = 0; length < Math.Min(whole.Length, Lengths); length++)
            {
                try
                {
                    subject.Decode(whole[..length])();
                    accepted.Add(length);
                }
                catch (Exception)
                {
                    // Rejected: which exception it is does not matter here.
                }
            }
            answer.Line["answer"] = new JsonObject { ["length"] = whole.Length, ["accepted"] = accepted };
        }
        worker.Answers.Write(answer.Line);
    }

    private void Reject(Subject subject)
    {
        byte[] file = File.ReadAllBytes(Path.Combine(suite, "vectors", "negative.json"));
        int number = 0;
        foreach (JsonElement vector in JsonDocument.Parse(file).RootElement.EnumerateArray())
        {
            if (Has(vector, "format", _format) && Has(vector, "step", subject.Step))
            {
                var answer = new Answer("measure", "reject", subject.Step, number);
                answer.Line["vector"] = vector.GetProperty("name").GetString();
                Decode(subject, Bytes(vector), answer);
            }
            number++;
        }
    }

    private void Decode(Subject subject, byte[] content, Answer answer)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        Func<JsonNode?>? decoded = answer.Timed(() => subject.Decode(content));
        answer.Line["allocated_bytes"] = GC.GetAllocatedBytesForCurrentThread() - before;
        if (decoded is not null)
        {
            answer.Value(decoded);
        }
        worker.Answers.Write(answer.Line);
    }

    private static bool Has(JsonElement from, string name, string text) =>
        from.TryGetProperty(name, out JsonElement found) && found.ValueEquals(text);

    private static byte[] Bytes(JsonElement from) =>
        Convert.FromHexString(from.GetProperty("hex").GetString()!);
}
