using Opc.Ua;
using OpcUa;

/// <summary>Statuses of items as the library names them.</summary>
internal static class ItemStatuses
{
    /// <summary>The items whose status is not good.</summary>
    public static List<BadItem> Bad<T>(List<T> results, Func<T, StatusCode> status)
    {
        List<BadItem> bad = [];
        for (int position = 0; position < results.Count; position++)
        {
            if (Bad(position, status(results[position])) is BadItem found)
            {
                bad.Add(found);
            }
        }
        return bad;
    }

    /// <summary>The item at a position; null where its status is good.</summary>
    public static BadItem? Bad(int position, StatusCode status) =>
        StatusCode.IsGood(status) ? null : new BadItem(position, Name(status.Code), status.ToString());

    /// <summary>The name of a status.</summary>
    public static string Name(uint code) => StatusCode.LookupSymbolicId(code) ?? $"0x{code:X8}";
}
