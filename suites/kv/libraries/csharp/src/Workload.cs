namespace Wirelab.Kv;

/// <summary>Operation on a record.</summary>
internal enum Kind
{
    Read,
    Update,
    Insert,
    Scan,
    Modify,
}

/// <summary>One of YCSB's workloads: of 100 operations so many are of its first kind, the rest of the other.</summary>
internal sealed record Workload(string Name, uint Share, Kind First, Kind Other)
{
    private static readonly Workload[] All =
    [
        new("a", 50, Kind.Read, Kind.Update),
        new("b", 95, Kind.Read, Kind.Update),
        new("c", 100, Kind.Read, Kind.Read),
        new("d", 95, Kind.Read, Kind.Insert),
        new("e", 95, Kind.Scan, Kind.Insert),
        new("f", 50, Kind.Read, Kind.Modify),
    ];

    /// <summary>True where it reads what was inserted last most; the others have favourites everywhere.</summary>
    public bool ReadsTheLatest => Name == "d";

    /// <summary>The workload of a step; throws where it is none of these.</summary>
    public static Workload Of(Step step)
    {
        string name = step.Parameters.Text("workload", "c");
        return All.FirstOrDefault(one => one.Name == name)
            ?? throw new ContractException($"workload: expected a to f, found {name}");
    }
}

/// <summary>Work of a lane at a tick, drawn from nothing but the seed.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="Rank">Rank of the record: 0 is the one asked for most.</param>
/// <param name="Field">The field that is written.</param>
/// <param name="Length">Records of a scan.</param>
internal sealed record Drawn(Kind Kind, long Rank, int Field, int Length);

/// <summary>Draws by what the database says of its table: how often each rank is asked for.</summary>
internal sealed class Draws
{
    private const int MostScanned = 100;

    private readonly ulong _seed;
    private readonly long[] _first;
    private readonly ulong[] _until;

    public Draws(Spec spec)
    {
        Fields popularity = spec.Facts.Object("server").Object("popularity");
        _seed = Draw.Mix((ulong)spec.Seed);
        Records = popularity.Integer("records");
        _first = [.. popularity.List("first").Select(rank => rank.GetInt64())];
        _until = [.. popularity.List("until").Select(weight => weight.GetUInt64())];
    }

    /// <summary>Records that were there before the first operation.</summary>
    public long Records { get; }

    public Drawn At(Workload workload, long tick, int lane)
    {
        ulong h = Draw.Mix(_seed ^ (ulong)(tick << 16 | (long)lane));
        int place = Array.BinarySearch(_until, Draw.Mix(h + 1) % _until[^1]);
        // A group begins with the weight at which the one before it ends.
        int group = place < 0 ? ~place : place + 1;
        long end = group + 1 < _first.Length ? _first[group + 1] : Records;
        return new Drawn(
            h % 100 < workload.Share ? workload.First : workload.Other,
            _first[group] + (long)(Draw.Mix(h + 2) % (ulong)(end - _first[group])),
            (int)(Draw.Mix(h + 3) % UserTable.Fields),
            1 + (int)(Draw.Mix(h + 4) % MostScanned));
    }

    /// <summary>The record of a rank; <paramref name="newest"/> is the last one that was inserted.</summary>
    public long RecordOf(Workload workload, long rank, long newest) =>
        workload.ReadsTheLatest ? newest - rank : (long)(Draw.Mix((ulong)rank) % (ulong)Records);
}
