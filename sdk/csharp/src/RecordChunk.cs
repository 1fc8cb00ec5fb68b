using System.Runtime.InteropServices;

namespace Wirelab;

/// <summary>Memory for records that follow each other in the file, filled by any number of threads.</summary>
internal sealed class RecordChunk
{
    /// <summary>Records of a chunk: 128 KiB, small beside any runtime, and seconds at ordinary rates.</summary>
    public const int Records = 4096;

    /// <summary>Zeroed by the allocation and pinned, so that its pages are there and stay.</summary>
    private readonly Sample[] _samples = GC.AllocateArray<Sample>(Records, pinned: true);

    /// <summary>Places that are taken, and more than there are where somebody came too late.</summary>
    private int _claimed;

    /// <summary>Places that have their record.</summary>
    private int _filled;

    private int _used;

    /// <summary>Records of the chunks before.</summary>
    public long First { get; private set; }

    /// <summary>Records of the chunks before, and its own, once there are no more.</summary>
    public long End => First + _used;

    /// <summary>Places that are taken.</summary>
    public int Claimed => Math.Min(Volatile.Read(ref _claimed), Records);

    /// <summary>Its records as they are in the file, once there are no more.</summary>
    public ReadOnlySpan<byte> Used => MemoryMarshal.AsBytes(_samples.AsSpan(0, _used));

    /// <summary>Only here may places be claimed again: before, the chunk belongs to who writes it.</summary>
    public void Begin(long first)
    {
        First = first;
        Volatile.Write(ref _filled, 0);
        Volatile.Write(ref _claimed, 0);
    }

    /// <summary>Takes a record; false where there is no place for it.</summary>
    public bool Take(
        long intendedNs, long startNs, long endNs, long size, byte operation, byte status, ushort lane)
    {
        int place = Interlocked.Increment(ref _claimed) - 1;
        if (place >= Records)
        {
            return false;
        }
        _samples[place] = new Sample
        {
            IntendedNs = intendedNs,
            StartNs = startNs,
            EndNs = endNs,
            Size = (uint)Math.Min(size, uint.MaxValue),
            Operation = operation,
            Status = status,
            Lane = lane,
        };
        Interlocked.Increment(ref _filled);
        return true;
    }

    /// <summary>Takes no more records.</summary>
    public void ClaimRest() => _used = Math.Min(Interlocked.Exchange(ref _claimed, Records), Records);

    /// <summary>Waits for who took a place before the rest was claimed, and is still filling it.</summary>
    public void AwaitFilled()
    {
        while (Volatile.Read(ref _filled) < _used)
        {
            Thread.Yield();
        }
    }

    /// <summary>A record as it is in the file, on machines that are little-endian, as all of .NET are.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1, Size = Recorder.RecordSize)]
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
}
