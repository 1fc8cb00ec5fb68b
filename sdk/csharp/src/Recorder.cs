using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Wirelab;

/// <summary>
/// The sample file. Safe from any number of threads; no lock but once a chunk, no garbage.
/// </summary>
/// <remarks>
/// Records go to chunks of pinned memory; a full chunk is written to its place in the file by a background thread,
/// and used again. Not a mapped file: touching a page of one can wait for the file system, in the middle of a
/// measurement.
/// </remarks>
public sealed class Recorder : IDisposable
{
    /// <summary>Bytes of a record, and of the header.</summary>
    public const int RecordSize = 32;

    /// <summary>Records of a chunk: 128 KiB, small beside any runtime, and seconds at ordinary rates.</summary>
    private const int ChunkRecords = 4096;

    /// <summary>Chunks at most, 8 MiB together: whoever outruns the disk by that much waits for it.</summary>
    private const int Chunks = 64;

    private readonly SafeFileHandle _file;
    private readonly BlockingCollection<Chunk> _full = [];
    private readonly BlockingCollection<Chunk> _spare = [];
    private readonly Thread _writer;
    private readonly object _advancing = new();
    private volatile Chunk _current = new();
    private int _chunks = 1;
    private bool _closed;
    private long _recorded;
    private IOException? _failure;

    /// <summary>Makes the file at <paramref name="path"/>, with its header.</summary>
    public Recorder(string path)
    {
        _file = File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.Read);
        RandomAccess.Write(_file, Header(), 0);
        AddSpare();
        _writer = new Thread(WriteFullChunks) { IsBackground = true, Name = "wirelab-recorder" };
        _writer.Start();
    }

    /// <summary>Records so far.</summary>
    public long Count
    {
        get
        {
            Chunk chunk = _current;
            int here = Math.Min(Volatile.Read(ref chunk.Claimed), ChunkRecords);
            return _closed ? _recorded : chunk.Ordinal * ChunkRecords + here;
        }
    }

    /// <summary>Records an operation; a size that 32 bits cannot hold is kept as their maximum.</summary>
    public void Record(
        long intendedNs, long startNs, long endNs, long size, byte operation, byte status, ushort lane)
    {
        while (true)
        {
            Chunk chunk = _current;
            int slot = Interlocked.Increment(ref chunk.Claimed) - 1;
            if (slot < ChunkRecords)
            {
                chunk.Records[slot] = new Sample
                {
                    IntendedNs = intendedNs,
                    StartNs = startNs,
                    EndNs = endNs,
                    Size = (uint)Math.Min(size, uint.MaxValue),
                    Operation = operation,
                    Status = status,
                    Lane = lane,
                };
                if (Interlocked.Increment(ref chunk.Written) == ChunkRecords)
                {
                    _full.Add(chunk);
                }
                return;
            }
            Advance(chunk);
        }
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
            Close(_current);
        }
        _full.CompleteAdding();
        _writer.Join();
        _file.Dispose();
        if (_failure is not null)
        {
            throw _failure;
        }
    }

    private void Close(Chunk last)
    {
        // Claims every slot that is left: whoever still comes finds the recorder closed.
        int records = Math.Min(Interlocked.Exchange(ref last.Claimed, ChunkRecords), ChunkRecords);
        _recorded = last.Ordinal * ChunkRecords + records;
        _closed = true;
        // One that claimed its slot just before may still be filling it.
        while (Volatile.Read(ref last.Written) < records)
        {
            Thread.Yield();
        }
        if (records < ChunkRecords)
        {
            last.Used = records;
            _full.Add(last);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Advance(Chunk filled)
    {
        lock (_advancing)
        {
            ObjectDisposedException.ThrowIf(_closed, this);
            // A thread that was held up may come with a chunk that has since been used again.
            if (_current == filled && Volatile.Read(ref filled.Claimed) >= ChunkRecords)
            {
                if (_spare.Count == 0 && _chunks < Chunks)
                {
                    AddSpare();
                }
                Chunk next = _spare.Take();
                next.Begin(filled.Ordinal + 1);
                _current = next;
            }
        }
    }

    private void AddSpare()
    {
        _spare.Add(new Chunk());
        _chunks++;
    }

    private void WriteFullChunks()
    {
        foreach (Chunk chunk in _full.GetConsumingEnumerable())
        {
            Write(chunk);
            _spare.Add(chunk);
        }
    }

    /// <summary>After a failure nothing more is written, but chunks still go round: memory stays bounded.</summary>
    private void Write(Chunk chunk)
    {
        try
        {
            if (_failure is null)
            {
                ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(chunk.Records.AsSpan(0, chunk.Used));
                RandomAccess.Write(_file, bytes, (1 + chunk.Ordinal * ChunkRecords) * RecordSize);
            }
        }
        catch (IOException cannotWrite)
        {
            _failure = cannotWrite;
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

    /// <summary>A record as it is in the file, on machines that are little-endian, as all of .NET are.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1, Size = RecordSize)]
    private struct Sample
    {
        public long IntendedNs;
        public long StartNs;
        public long EndNs;
        public uint Size;
        public byte Operation;
        public byte Status;
        public ushort Lane;
    }

    private sealed class Chunk
    {
        /// <summary>Zeroed by the allocation and pinned, so that its pages are there and stay.</summary>
        public readonly Sample[] Records = GC.AllocateArray<Sample>(ChunkRecords, pinned: true);

        public int Claimed;
        public int Written;
        public long Ordinal;
        public int Used = ChunkRecords;

        /// <summary>Only here may slots be claimed again: before, the chunk belongs to the writer.</summary>
        public void Begin(long ordinal)
        {
            Ordinal = ordinal;
            Volatile.Write(ref Written, 0);
            Volatile.Write(ref Claimed, 0);
        }
    }
}
