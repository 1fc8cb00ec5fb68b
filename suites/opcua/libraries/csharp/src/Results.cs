using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab;

namespace OpcUa;

/// <summary>An item that is not good: its position, and the name and text of its status.</summary>
public readonly record struct BadItem(int Position, string Status, string Text);

/// <summary>Results of a request whose items were all looked at.</summary>
public static class Results
{
    /// <summary>A read; the value of a bad item is left out.</summary>
    public static Outcome OfRead(NodeLists nodeLists, IReadOnlyList<object?> values, IReadOnlyList<BadItem> bad) =>
        Of(nodeLists.Reads, values.Count, bad, () =>
        {
            if (nodeLists.Own)
            {
                return new JsonObject { ["valued"] = values.Count(value => value is not null) };
            }
            return Values(values, bad);
        });

    /// <summary>The values of a change; the value of a bad item is left out.</summary>
    public static Outcome OfChange(NodeLists nodeLists, IReadOnlyList<Reading> readings)
    {
        BadItem[] bad = [.. readings.Where(one => one.Bad is not null).Select(one => one.Bad!.Value)];
        return Of(
            nodeLists.Watched, readings.Count, bad, () => Values([.. readings.Select(one => one.Value)], bad));
    }

    /// <summary>A write of the values of a sequence, with so many results.</summary>
    public static Outcome OfWrite(NodeLists nodeLists, long sequence, int results, IReadOnlyList<BadItem> bad) =>
        Of(nodeLists.Writes, results, bad, () => new JsonObject { ["sequence"] = sequence });

    private static JsonObject Values(IReadOnlyList<object?> values, IReadOnlyList<BadItem> bad)
    {
        HashSet<int> without = [.. bad.Select(item => item.Position)];
        return new JsonObject
        {
            ["values"] = new JsonArray([.. values.Select((value, position) =>
                without.Contains(position) ? null : JsonSerializer.SerializeToNode(value))]),
        };
    }

    private static Outcome Of(
        IReadOnlyList<string> nodes, int results, IReadOnlyList<BadItem> bad, Func<JsonObject> answer)
    {
        if (results != nodes.Count)
        {
            string told = $"asked for {nodes.Count} items, got {results}";
            return Outcome.Failed(Status.WrongAnswer, new Fault(Scope.Call, "WrongAnswer", "", told));
        }
        Fault[] faults = [.. bad.Select(item => new Fault(
            Scope.Item, "StatusCode", item.Status, $"item {item.Position}, {nodes[item.Position]}: {item.Text}"))];
        return Outcome.Answered(faults, () =>
        {
            JsonObject said = answer();
            said["bad"] = new JsonArray([.. bad.Select(item => new JsonArray(item.Position, item.Status))]);
            return said;
        });
    }
}
