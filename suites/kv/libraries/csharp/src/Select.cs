namespace Wirelab.Kv;

/// <summary>A multi-get as SQL: the keys of a table in one array, the order restored by the client.</summary>
/// <param name="Text">The statement; its only argument is the array.</param>
/// <param name="Keys">The keys without repetitions: a condition finds a row once.</param>
/// <param name="Asked">The keys asked for, in their order.</param>
public sealed record Select(string Text, string[] Keys, string[] Asked)
{
    private const string Columns = "key, c0, c1, c2, c3, c4, d0, d1, d2, d3, d4, d5, d6, d7";

    /// <summary>The statement for keys of a set; <paramref name="placeholder"/> is how its argument is written.</summary>
    public static Select Of(int set, string[] keys, string placeholder) =>
        new($"SELECT {Columns} FROM wirelab.set_{set} WHERE key = ANY({placeholder})", [.. keys.Distinct()], keys);

    /// <summary>A row for each key asked; <paramref name="found"/> has those that the database found, in its own order.</summary>
    public Row?[] InOrder(IReadOnlyDictionary<string, Row> found) =>
        Array.ConvertAll(Asked, key => found.GetValueOrDefault(key));
}
