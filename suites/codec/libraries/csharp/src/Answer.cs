using System.Text.Json.Nodes;
using Wirelab;

namespace Codec;

/// <summary>A line of the answers file that is being made.</summary>
internal sealed class Answer(string phase, string operation, string step, long tick)
{
    private const int MessageLimit = 500;

    public JsonObject Line { get; } = new()
    {
        ["phase"] = phase,
        ["operation"] = operation,
        ["step"] = step,
        ["tick"] = tick,
    };

    /// <summary>Result of a call; null when it threw, which the line then says.</summary>
    public T? Timed<T>(Func<T> call)
        where T : class
    {
        long startNs = Clock.Now;
        T? given = null;
        Exception? failure = null;
        try
        {
            given = call();
        }
        catch (Exception thrown)
        {
            failure = thrown;
        }
        Line["start_ns"] = startNs;
        Line["end_ns"] = Clock.Now;
        if (failure is not null)
        {
            Failed(failure);
        }
        return given;
    }

    /// <summary>The value that is read as the answer, or what was thrown.</summary>
    public void Value(Func<JsonNode?> read)
    {
        try
        {
            Line["answer"] = new JsonObject { ["value"] = read() };
        }
        catch (Exception thrown)
        {
            Failed(thrown);
        }
    }

    private void Failed(Exception thrown)
    {
        string message = thrown.Message;
        Line["error"] = new JsonObject
        {
            ["class"] = thrown.GetType().Name,
            ["message"] = message[..Math.Min(MessageLimit, message.Length)],
        };
    }
}
