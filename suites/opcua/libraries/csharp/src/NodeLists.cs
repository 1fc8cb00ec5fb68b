using Wirelab;

namespace OpcUa;

/// <summary>Lists of what a client reads and writes: nodes in their text form, and values.</summary>
/// <param name="Reads">The nodes of every read, in order.</param>
/// <param name="Own">Whether they are of a server of the user's own, whose values nobody knows.</param>
/// <param name="Writes">The nodes of every write, in order.</param>
/// <param name="WrongType">Whether the first one of them gets a text that it cannot hold.</param>
/// <param name="Watched">The nodes whose changes the caller learns of, in order.</param>
public sealed record NodeLists(
    IReadOnlyList<string> Reads, bool Own, IReadOnlyList<string> Writes, bool WrongType, IReadOnlyList<string> Watched)
{
    public const string Read = "read";
    public const string Write = "write";
    public const string Notification = "notification";
    public const string Poll = "poll";

    private const string Unknown = "ns=1;s=no-such-tag";
    private const int UnknownPosition = 3;
    private const long MeasureSequence = 1_000_000;
    private const long PreflightSequence = 900_000;

    /// <summary>The node lists that a spec asks for.</summary>
    public static NodeLists Of(Spec spec)
    {
        string probe = spec.Parameters.Text("probe", Read);
        string list = spec.Facts.ObjectOrEmpty("server").Text("node_list", "");
        string[] reads = list.Length > 0
            ? File.ReadAllLines(list)
            : [.. Nodes(Items(spec, Read, Tags.Count))];
        if (probe == "unknown-node")
        {
            reads[UnknownPosition] = Unknown;
        }
        IEnumerable<int> positions = Enumerable.Range(0, Items(spec, Write, Tags.Writable));
        int watched = Items(spec, Notification, Tags.Count) + Items(spec, Poll, Tags.Count);
        return new NodeLists(
            reads, list.Length > 0, [.. positions.Select(position => Tags.Node(Tags.Written(position)))],
            probe == "wrong-type", [.. Nodes(watched)]);
    }

    /// <summary>Sequence of the values that the write of a turn writes.</summary>
    public static long Sequence(Turn turn) =>
        turn.Index + (turn.Phase == Phase.Preflight ? PreflightSequence : MeasureSequence);

    /// <summary>The value at a position of the write with a sequence.</summary>
    public object Value(int position, long sequence) =>
        WrongType && position == 0 ? "not an Int32" : Tags.Value(Tags.Written(position), sequence);

    private static IEnumerable<string> Nodes(int count) => Enumerable.Range(0, count).Select(Tags.Node);

    /// <summary>Items of an operation; 0 where the scenario has no such operation.</summary>
    private static int Items(Spec spec, string operation, int most)
    {
        int items = spec.Operations.FirstOrDefault(one => one.Name == operation)?.Items ?? 0;
        return items <= most
            ? items
            : throw new ContractException($"operations.{operation}.items: expected at most {most}, found {items}");
    }
}
