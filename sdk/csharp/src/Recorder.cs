using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace Wirelab;

/// <summary>
/// The sample file. Safe from any number of threads; no lock but once a chunk, no garbage.
/// </summary>
/// <remarks>
/// Records go to chunks of pinned memory. A chunk that is full, or whose records are to be seen, is written to its
/// place in the file by a background thread, and used again. Not a mapped file: touching a page of one can wait for
/// the file system, in the middle of a measurement.
/// </remarks>
public sealed class Recorder : IDisposable
{
    /// <summary>Bytes of a record, and of the header.</summary>
    public const int RecordSize = 32;

    /// <summary>Chunks at most, 8 MiB together: whoever outruns the disk by that much waits for it.</summary>
    private const int Chunks = 64;

    private readonly SafeFileHandle _file;

    /// <summary>Chunks to be written, in the order of their records.</summary>
    private readonly BlockingCollection<RecordChunk> _handedOver = [];

    private readonly BlockingCollection<RecordChunk> _spare = [];
    private readonly Thread _writer;
    private readonly object _advancing = new();
    private volatile RecordChunk _current = new();
    private int _chunks = 1;
    private bool _closed;
    private long _recorded;

    private readonly object _written = new();
    private long _inFile;
    private IOException? _failure;

    /// <summary>Makes the file at <paramref name="path"/>, with its header.</summary>
    public Recorder(string path)
    {
        _file = File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.Read);
        RandomAccess.Write(_file, Header(), 0);
        _spare.Add(NewChunk());
        _writer = new Thread(WriteChunks) { IsBackground = true, Name = "wirelab-recorder" };
        _writer.Start();
    }

    /// <summary>Records so far.</summary>
    public long Count
    {
        get
        {
            lock (_advancing)
            {
                return _closed ? _recorded : _current.First + _current.Claimed;
            }
        }
    }

    /// <summary>Records an operation; a size that 32 bits cannot hold is kept as their maximum.</summary>
    public void Record(
        long intendedNs, long startNs, long endNs, long size, byte operation, byte status, ushort lane)
    {
        while (true)
        {
            RecordChunk chunk = _current;
            if (chunk.Take(intendedNs, startNs, endNs, size, operation, status, lane))
            {
                return;
            }
            Advance(chunk);
        }
    }

    /// <summary>
    /// Waits until everything so far is in the file, for who looks at it, and tells how many records that has then.
    /// Nobody who records meanwhile waits for it.
    /// </summary>
    internal long Publish()
    {
        long records = HandOverUsed();
        lock (_written)
        {
            while (_inFile < records && _failure is null)
            {
                Monitor.Wait(_written);
            }
        }
        RefuseFailure();
        return records;
    }

    /// <summary>Writes everything to the file; throws where any record could not be. Nobody may record any more.</summary>
    public void Dispose()
    {
        lock (_advancing)
        {
            if (_closed)
            {
                return;
            }
            _closed = true;
            _current.ClaimRest();
            _recorded = _current.End;
            _handedOver.Add(_current);
        }
        _handedOver.CompleteAdding();
        _writer.Join();
        _file.Dispose();
        RefuseFailure();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Advance(RecordChunk full)
    {
        lock (_advancing)
        {
            ObjectDisposedException.ThrowIf(_closed, this);
            // A thread that was held up may come with a chunk that has since been used again.
            if (_current == full && full.Claimed == RecordChunk.Records)
            {
                HandOver();
            }
        }
    }

    /// <summary>Hands over what the current chunk has, if anything; returns the records so far.</summary>
    private long HandOverUsed()
    {
        lock (_advancing)
        {
            if (_closed)
            {
                return _recorded;
            }
            if (_current.Claimed > 0)
            {
                HandOver();
            }
            return _current.First;
        }
    }

    /// <summary>Hands the current chunk over, as far as it is used, and goes on with the next one.</summary>
    private void HandOver()
    {
        RecordChunk last = _current;
        RecordChunk next = _spare.TryTake(out RecordChunk? spare) ? spare
            : _chunks < Chunks ? NewChunk()
            : _spare.Take();
        last.ClaimRest();
        next.Begin(last.End);
        _current = next;
        _handedOver.Add(last);
    }

    private RecordChunk NewChunk()
    {
        _chunks++;
        return new RecordChunk();
    }

    private void WriteChunks()
    {
        foreach (RecordChunk chunk in _handedOver.GetConsumingEnumerable())
        {
            chunk.AwaitFilled();
            IOException? why = Write(chunk);
            lock (_written)
            {
                // After a failure chunks still go round: memory stays bounded.
                _failure ??= why;
                _inFile = chunk.End;
                Monitor.PulseAll(_written);
            }
            _spare.Add(chunk);
        }
    }

    /// <summary>Writes a chunk; returns why it could not be written, or null.</summary>
    private IOException? Write(RecordChunk chunk)
    {
        try
        {
            RandomAccess.Write(_file, chunk.Used, (1 + chunk.First) * RecordSize);
            return null;
        }
        catch (IOException cannotWrite)
        {
            return cannotWrite;
        }
    }

    private void RefuseFailure()
    {
        lock (_written)
        {
            if (_failure is not null)
            {
                throw _failure;
            }
        }
    }

    private static byte[] Header()
    {
        byte[] header = new byte[RecordSize];
        "WLSAMPLE"u8.CopyTo(header);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(8), 1);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(10), RecordSize);
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(12), 1);
        return header;
    }
}
