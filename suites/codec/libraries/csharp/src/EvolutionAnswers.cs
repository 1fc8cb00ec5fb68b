using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab;

namespace Codec;

/// <summary>Data of one version of the record read by code of another: the scenario <c>evolution</c>.</summary>
internal sealed class EvolutionAnswers(Contender contender, string suite, LineFile answers)
{
    private const string Former = "base";

    private readonly JsonElement _values =
        JsonDocument.Parse(File.ReadAllBytes(Path.Combine(suite, "vectors", "evolution.json"))).RootElement;

    /// <summary>Tells whether a step is a change of the record.</summary>
    public bool Has(string step) => _values.TryGetProperty(step, out _);

    /// <summary>New code reads old data, old code reads new data, and old code hands new data on.</summary>
    public void Give(string change)
    {
        IVersion former = contender.Version(Former);
        IVersion later = contender.Version(change);
        JsonElement both = _values.GetProperty(change);
        foreach ((int tick, JsonElement value) in Numbered(both.GetProperty("old")))
        {
            Say("backward", change, tick, () => later.Read(former.Write(value)));
        }
        foreach ((int tick, JsonElement value) in Numbered(both.GetProperty("new")))
        {
            Say("forward", change, tick, () => former.Read(later.Write(value)));
            Say("rewrite", change, tick, () => later.Read(former.Again(later.Write(value))));
        }
    }

    private static IEnumerable<(int Tick, JsonElement Value)> Numbered(JsonElement list) =>
        list.EnumerateArray().Select((value, tick) => (tick, value));

    private void Say(string operation, string change, int tick, Func<JsonNode> read)
    {
        var answer = new Answer("measure", operation, change, tick);
        JsonNode? value = answer.Timed(read);
        if (value is not null)
        {
            answer.Value(() => value);
        }
        answers.Write(answer.Line);
    }
}
