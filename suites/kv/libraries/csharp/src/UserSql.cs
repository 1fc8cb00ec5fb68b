namespace Wirelab.Kv;

/// <summary>YCSB's user table as SQL, a column a field; arguments are $1, $2 and so on.</summary>
public static class UserSql
{
    private const string Table = "wirelab.usertable";

    private static readonly string Columns =
        string.Join(", ", Enumerable.Range(0, UserTable.Fields).Select(field => $"field{field}"));

    /// <summary>All fields of a record, by its key.</summary>
    public static string Read { get; } = $"SELECT {Columns} FROM {Table} WHERE key = $1";

    /// <summary>The same, and nobody else changes it before the transaction ends.</summary>
    public static string ReadToChange { get; } = $"{Read} FOR UPDATE";

    /// <summary>A key and its fields.</summary>
    public static string Insert { get; } =
        $"INSERT INTO {Table} (key, {Columns}) VALUES "
        + $"({string.Join(", ", Enumerable.Range(1, UserTable.Fields + 1).Select(number => $"${number}"))})";

    /// <summary>Records from a key on, and how many at the most.</summary>
    public static string Scan { get; } = $"SELECT {Columns} FROM {Table} WHERE key >= $1 ORDER BY key LIMIT $2";

    /// <summary>Replaces a field: its value, then the key.</summary>
    public static string Write(int field) => $"UPDATE {Table} SET field{field} = $1 WHERE key = $2";
}
