using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Kv;

/// <summary>One operation, ready for the library.</summary>
/// <param name="Drawn">What is done.</param>
/// <param name="Record">Number of the record.</param>
/// <param name="Newest">The last record that was inserted when it was drawn.</param>
/// <param name="Sequence">Number of what it writes; 0 where it writes nothing.</param>
/// <param name="Values">All fields of an insert, the one of a change; none of a read.</param>
/// <param name="Seen">What it may find.</param>
internal sealed record RecordTask(Drawn Drawn, long Record, long Newest, long Sequence, byte[][] Values, Seen Seen)
{
    public string Key { get; } = UserTable.NameOf(Record);

    public bool Changes => Drawn.Kind is Kind.Update or Kind.Modify;

    public bool Reads => Drawn.Kind is Kind.Read or Kind.Modify;
}

/// <summary>
/// Rows that the library gave for a task: a record, or those of a scan; none where nothing comes back.
/// </summary>
internal sealed record RecordsFound(RecordTask Task, byte[][]?[] Rows);

/// <summary>The operation <c>ycsb</c>: reads, updates, inserts, scans and changes of single records.</summary>
internal sealed class Records<TMultiGet>(Draws draws, IRecordStore<TMultiGet> store) : ILaneWork<RecordTask, RecordsFound>
{
    private readonly Sequences _sequences = new(draws.Records);

    public IReadOnlyCollection<string> Operations => [DatabaseClients.OfRecords];

    public void Begin(Step step) => Workload.Of(step);

    public bool InRounds(Step step) => step.Parameters.Flag("barrier", false);

    /// <summary>Draws what is due, and notes that it begins.</summary>
    public RecordTask Prepare(LaneCall call)
    {
        Workload workload = Workload.Of(call.Step);
        Drawn drawn = draws.At(workload, call.Tick, call.Lane);
        long newest = _sequences.Newest;
        long record = drawn.Kind == Kind.Insert
            ? _sequences.Insert()
            : draws.RecordOf(workload, drawn.Rank, newest);
        Seen seen = _sequences.BeginRead(record);
        switch (drawn.Kind)
        {
            case Kind.Insert:
                byte[][] values = [.. Enumerable.Range(0, UserTable.Fields).Select(field => UserTable.Value(record, field, 0))];
                return new RecordTask(drawn, record, newest, 0, values, seen);
            case Kind.Update or Kind.Modify:
                long sequence = _sequences.BeginWrite(record, drawn.Field);
                return new RecordTask(drawn, record, newest, sequence, [UserTable.Value(record, drawn.Field, sequence)], seen);
            default:
                return new RecordTask(drawn, record, newest, 0, [], seen);
        }
    }

    public async Task<RecordsFound> Call(RecordTask asked, LaneCall call, CancellationToken limit)
    {
        int field = asked.Drawn.Field;
        switch (asked.Drawn.Kind)
        {
            case Kind.Read:
                return new RecordsFound(asked, [await store.ReadRecord(asked.Key, limit).ConfigureAwait(false)]);
            case Kind.Modify:
                return new RecordsFound(
                    asked, [await store.ModifyRecord(asked.Key, field, asked.Values[0], limit).ConfigureAwait(false)]);
            case Kind.Scan:
                return new RecordsFound(
                    asked, await store.ScanRecords(asked.Key, asked.Drawn.Length, limit).ConfigureAwait(false));
            case Kind.Update:
                await store.WriteRecord(asked.Key, field, asked.Values[0], limit).ConfigureAwait(false);
                break;
            default:
                await store.InsertRecord(asked.Key, asked.Values, limit).ConfigureAwait(false);
                break;
        }
        return new RecordsFound(asked, []);
    }

    /// <summary>Judges whether what was found is what had been written, and no older.</summary>
    public Outcome Judge(LaneCall call, RecordsFound answer)
    {
        RecordTask task = answer.Task;
        if (task.Drawn.Kind == Kind.Insert)
        {
            _sequences.Inserted(task.Record);
        }
        if (task.Changes)
        {
            _sequences.EndWrite(task.Record, task.Drawn.Field, task.Sequence);
        }
        long[] found = [];
        if (task.Reads)
        {
            if (Found(task, answer.Rows[0]) is not long[] writes)
            {
                return Wrong(task, "a field is not of this record, or is older than it may be");
            }
            if (task.Changes && !_sequences.Changed(task.Record, task.Drawn.Field, writes[task.Drawn.Field]))
            {
                return Wrong(task, "another change had replaced what this one read");
            }
            found = writes;
        }
        if (task.Drawn.Kind == Kind.Scan)
        {
            if (Scanned(task, answer.Rows) is not long[] numbers)
            {
                return Wrong(task, "these are no records in the order of their keys");
            }
            found = numbers;
        }
        long size = task.Values.Sum(value => value.Length) + answer.Rows.Sum(row => row?.Sum(value => value.Length) ?? 0);
        return new Outcome(Status.Ok, [], size, () => Told(answer, found));
    }

    public Outcome Explain(LaneCall call, Exception thrown) =>
        Outcome.Failed(store.StatusOf(thrown), Fault.OfCall(thrown, store.NameOf(thrown)));

    /// <summary>The writes that a read found, by field; null where one of them cannot be.</summary>
    private long[]? Found(RecordTask task, byte[][]? fields)
    {
        if (fields?.Length != UserTable.Fields)
        {
            return null;
        }
        var found = new long[UserTable.Fields];
        for (int field = 0; field < found.Length; field++)
        {
            if (UserTable.SequenceOf(fields[field], task.Record, field, draws.Records) is not long sequence
                || !task.Seen.MayFind(field, sequence))
            {
                return null;
            }
            found[field] = sequence;
        }
        return found;
    }

    /// <summary>The records that a scan found; null where they are not in the order of keys from its own on.</summary>
    private long[]? Scanned(RecordTask task, byte[][]?[] rows)
    {
        var numbers = new List<long>();
        foreach (byte[][]? fields in rows)
        {
            if (fields?.Length != UserTable.Fields
                || UserTable.NumberOf(fields[0]) is not long number
                || fields.Where((value, field) => UserTable.SequenceOf(value, number, field, draws.Records) is null).Any()
                || (numbers.Count > 0 && Draw.Mix((ulong)numbers[^1]) >= Draw.Mix((ulong)number)))
            {
                return null;
            }
            numbers.Add(number);
        }
        return numbers.Count <= task.Drawn.Length && numbers.FirstOrDefault(-1) == task.Record ? [.. numbers] : null;
    }

    private static Outcome Wrong(RecordTask task, string why) =>
        Outcome.Failed(
            Status.WrongAnswer,
            new Fault(Scope.Call, "WrongAnswer", "", $"{task.Drawn.Kind} of record {task.Record}: {why}"));

    private static JsonObject Told(RecordsFound answer, long[] found)
    {
        RecordTask task = answer.Task;
        var numbers = new JsonArray([.. found.Select(number => JsonValue.Create(number))]);
        var told = new JsonObject
        {
            ["kind"] = task.Drawn.Kind.ToString().ToLowerInvariant(),
            ["record"] = task.Record,
            ["newest"] = task.Newest,
        };
        if (task.Changes)
        {
            told["field"] = task.Drawn.Field;
            told["sequence"] = task.Sequence;
        }
        if (task.Reads)
        {
            told["found"] = numbers;
            told["content"] = Checksum(answer.Rows).ToString("x8");
        }
        if (task.Drawn.Kind == Kind.Scan)
        {
            told["most"] = task.Drawn.Length;
            told["records"] = numbers;
            told["content"] = Checksum(answer.Rows).ToString("x8");
        }
        return told;
    }

    /// <summary>CRC-32 of the fields of all rows, one after the other.</summary>
    private static uint Checksum(byte[][]?[] rows)
    {
        const uint Polynomial = 0xEDB88320;
        uint sum = uint.MaxValue;
        foreach (byte one in rows.SelectMany(fields => fields ?? []).SelectMany(field => field))
        {
            sum ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                sum = (sum & 1) == 0 ? sum >> 1 : sum >> 1 ^ Polynomial;
            }
        }
        return ~sum;
    }
}
