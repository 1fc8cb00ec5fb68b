using Npgsql;
using Wirelab;
using Wirelab.Kv;

DatabaseClients.Run(spec => new NpgsqlStore(spec));

/// <summary>Calls by commands of a data source, which take a connection out of its pool or share one.</summary>
internal sealed class NpgsqlStore : IRecordStore<Select>
{
    private const double SecondNs = 1e9;

    private readonly NpgsqlDataSource _source;
    private readonly int _connections;
    private readonly bool _blocking;

    public NpgsqlStore(Spec spec)
    {
        var server = new Uri(spec.EndpointOf("server"));
        string[] login = server.UserInfo.Split(':', 2);
        int limitSeconds = (int)Math.Ceiling(spec.Limits.OperationNs / SecondNs);
        int pool = spec.Parameters.Has("pool") ? spec.Parameters.Within("pool", 0, 10_000) : 0;
        _connections = pool > 0 ? pool : spec.Parameters.Within("connections", 1, 10_000);
        _blocking = spec.Parameters.Flag("blocking", false);
        _source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder
        {
            Host = server.Host,
            Port = server.Port,
            Database = server.AbsolutePath.TrimStart('/'),
            Username = Uri.UnescapeDataString(login[0]),
            Password = login.Length > 1 ? Uri.UnescapeDataString(login[1]) : null,
            MaxPoolSize = _connections,
            MinPoolSize = _connections,
            Multiplexing = spec.Parameters.Flag("multiplexing", false),
            MaxAutoPrepare = spec.Parameters.Within("auto_prepare", 0, 1000),
            AutoPrepareMinUsages = 2,
            Enlist = false,
            Timeout = limitSeconds,
            CommandTimeout = limitSeconds,
            // A call that has timed out asks the server to cancel it, and does not wait for what comes of that.
            CancellationTimeout = -1,
        });
    }

    public (string Name, string Version) Library => ("Npgsql", Wirelab.Library.VersionOf(typeof(NpgsqlConnection)));

    /// <summary>All of the pool.</summary>
    public async Task Connect(CancellationToken limit)
    {
        Task<NpgsqlConnection>[] opening =
            [.. Enumerable.Range(0, _connections).Select(_ => _source.OpenConnectionAsync(limit).AsTask())];
        foreach (NpgsqlConnection connection in await Task.WhenAll(opening))
        {
            await connection.CloseAsync();
        }
    }

    public Select Prepare(int set, string[] keys) => Select.Of(set, keys, "$1");

    /// <summary>Awaited; or, as in code that is not asynchronous all the way, on a thread that waits for it.</summary>
    public Task<Row?[]> Read(Select multiGet, CancellationToken limit) =>
        _blocking ? Task.Run(() => Awaited(multiGet, limit).GetAwaiter().GetResult()) : Awaited(multiGet, limit);

    public async Task<byte[][]?> ReadRecord(string key, CancellationToken limit)
    {
        await using NpgsqlCommand command = _source.CreateCommand(UserSql.Read);
        command.Parameters.Add(Argument(key));
        return (await Records(command, limit).ConfigureAwait(false)).SingleOrDefault();
    }

    public async Task WriteRecord(string key, int field, byte[] value, CancellationToken limit)
    {
        await using NpgsqlCommand command = _source.CreateCommand(UserSql.Write(field));
        command.Parameters.Add(Argument(value));
        command.Parameters.Add(Argument(key));
        await OneRow(command, limit).ConfigureAwait(false);
    }

    public async Task InsertRecord(string key, byte[][] values, CancellationToken limit)
    {
        await using NpgsqlCommand command = _source.CreateCommand(UserSql.Insert);
        command.Parameters.Add(Argument(key));
        foreach (byte[] value in values)
        {
            command.Parameters.Add(Argument(value));
        }
        await OneRow(command, limit).ConfigureAwait(false);
    }

    public async Task<byte[][][]> ScanRecords(string key, int most, CancellationToken limit)
    {
        await using NpgsqlCommand command = _source.CreateCommand(UserSql.Scan);
        command.Parameters.Add(Argument(key));
        command.Parameters.Add(Argument(most));
        return [.. await Records(command, limit).ConfigureAwait(false)];
    }

    /// <summary>A transaction; its SELECT locks the row until it ends.</summary>
    public async Task<byte[][]?> ModifyRecord(string key, int field, byte[] value, CancellationToken limit)
    {
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(limit).ConfigureAwait(false);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(limit).ConfigureAwait(false);
        await using var reading = new NpgsqlCommand(UserSql.ReadToChange, connection, transaction);
        reading.Parameters.Add(Argument(key));
        List<byte[][]> found = await Records(reading, limit).ConfigureAwait(false);
        await using var writing = new NpgsqlCommand(UserSql.Write(field), connection, transaction);
        writing.Parameters.Add(Argument(value));
        writing.Parameters.Add(Argument(key));
        await OneRow(writing, limit).ConfigureAwait(false);
        await transaction.CommitAsync(limit).ConfigureAwait(false);
        return found.SingleOrDefault();
    }

    public Status StatusOf(Exception thrown) =>
        // Class 57: the server goes, or is not there yet. Class 08: the connection is lost.
        thrown is PostgresException { SqlState: ['5', '7', ..] or ['0', '8', ..] }
            ? Status.Disconnected
            : Network.StatusOf(thrown);

    public string NameOf(Exception thrown) => (thrown as NpgsqlException)?.SqlState ?? "";

    public ValueTask Close() => _source.DisposeAsync();

    private async Task<Row?[]> Awaited(Select multiGet, CancellationToken limit)
    {
        await using NpgsqlCommand command = _source.CreateCommand(multiGet.Text);
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = multiGet.Keys });
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(limit).ConfigureAwait(false);
        var found = new Dictionary<string, Row>(multiGet.Keys.Length);
        while (await reader.ReadAsync(limit).ConfigureAwait(false))
        {
            found[reader.GetString(0)] = RowOf(reader);
        }
        return multiGet.InOrder(found);
    }

    private static NpgsqlParameter<T> Argument<T>(T value) => new() { TypedValue = value };

    private static async Task<List<byte[][]>> Records(NpgsqlCommand command, CancellationToken limit)
    {
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(limit).ConfigureAwait(false);
        var found = new List<byte[][]>();
        while (await reader.ReadAsync(limit).ConfigureAwait(false))
        {
            found.Add([.. Enumerable.Range(0, UserTable.Fields).Select(reader.GetFieldValue<byte[]>)]);
        }
        return found;
    }

    private static async Task OneRow(NpgsqlCommand command, CancellationToken limit)
    {
        int rows = await command.ExecuteNonQueryAsync(limit).ConfigureAwait(false);
        if (rows != 1)
        {
            throw new InvalidOperationException($"the update changed {rows} rows, not 1");
        }
    }

    private static Row RowOf(NpgsqlDataReader reader)
    {
        var row = new Row(new long[Row.IntegerBins], new double[Row.DoubleBins]);
        for (int bin = 0; bin < Row.IntegerBins; bin++)
        {
            row.Integers[bin] = reader.GetInt64(1 + bin);
        }
        for (int bin = 0; bin < Row.DoubleBins; bin++)
        {
            row.Doubles[bin] = reader.GetDouble(1 + Row.IntegerBins + bin);
        }
        return row;
    }
}
