namespace Wirelab.Kv;

/// <summary>Checks of the results of a multi-get: rows in the order of its keys, null where there is none.</summary>
internal static class Rows
{
    private const ulong Prime = 0x100000001B3;
    private const ulong Absent = ulong.MaxValue;

    /// <summary>Summary that every operation is checked by: cheap, and another one for nearly every mistake.</summary>
    public static RowSummary SummaryOf(Row?[] rows)
    {
        int found = 0;
        long sum = 0;
        foreach (Row? row in rows)
        {
            if (row is not null)
            {
                found++;
                sum += row.Integers[0];
            }
        }
        return new RowSummary(rows.Length, found, sum);
    }

    /// <summary>The suite's checksum, over the rows and their places.</summary>
    public static ulong Checksum(Row?[] rows)
    {
        ulong sum = 0;
        for (int place = 0; place < rows.Length; place++)
        {
            // Odd factors, so that rows in each other's place are another sum.
            sum += (2 * (ulong)place + 1) * Folded(rows[place], (ulong)place + 1);
        }
        return sum;
    }

    private static ulong Folded(Row? row, ulong start)
    {
        ulong hash = start;
        for (int bin = 0; bin < Row.IntegerBins; bin++)
        {
            hash = hash * Prime + (row is null ? Absent : (ulong)row.Integers[bin]);
        }
        for (int bin = 0; bin < Row.DoubleBins; bin++)
        {
            hash = hash * Prime + (row is null ? Absent : BitConverter.DoubleToUInt64Bits(row.Doubles[bin]));
        }
        return hash;
    }
}

/// <summary>Number of rows, number of those that had a record, and the sum of their <c>c0</c>.</summary>
internal sealed record RowSummary(int Rows, int Found, long SumOfC0);
