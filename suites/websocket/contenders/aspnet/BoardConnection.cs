using System.Buffers;
using System.Net.WebSockets;
using System.Text.Json;
using Whiteboard;

/// <summary>One user's connection: what it says is read here, until it ends.</summary>
/// <param name="socket">The user's WebSocket.</param>
/// <param name="member">Who is sent to over it.</param>
/// <param name="boards">Who else there is.</param>
/// <param name="limit">Bytes of the longest message.</param>
internal sealed class BoardConnection(WebSocket socket, Member member, Boards boards, int limit)
{
    private const int LeastBytes = 1024;

    private readonly ArrayBufferWriter<byte> _text = new(LeastBytes);
    private string? _board;

    /// <summary>Serves the user; what waits for it is sent meanwhile.</summary>
    public async Task Serve(CancellationToken stopping)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        Task sending = member.SendWaiting(ended.Token);
        try
        {
            while (await Receive(stopping) is { } text)
            {
                await Obey(text);
            }
        }
        catch (Exception gone) when (gone is WebSocketException or OperationCanceledException)
        {
            // Without a good-bye, or because the server stops.
        }
        finally
        {
            Leave();
            await ended.CancelAsync();
            await sending;
        }
    }

    /// <summary>The next message; null at the end. It may come in pieces, the last of which says so.</summary>
    private async ValueTask<byte[]?> Receive(CancellationToken stopping)
    {
        _text.ResetWrittenCount();
        ValueWebSocketReceiveResult piece;
        do
        {
            piece = await socket.ReceiveAsync(_text.GetMemory(LeastBytes), stopping);
            _text.Advance(piece.Count);
            if (piece.MessageType == WebSocketMessageType.Close)
            {
                await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, stopping);
                return null;
            }
            if (_text.WrittenCount > limit)
            {
                await socket.CloseOutputAsync(WebSocketCloseStatus.MessageTooBig, null, stopping);
                return null;
            }
        }
        while (!piece.EndOfMessage);
        return _text.WrittenSpan.ToArray();
    }

    private async ValueTask Obey(byte[] text)
    {
        switch (BoardMessage.Of(text))
        {
            case { Type: "join" } join:
                Leave();
                _board = join.Board!;
                boards.Join(_board, member);
                await member.Send(JsonSerializer.SerializeToUtf8Bytes(
                    join with { Type = "joined" }, Messages.Default.BoardMessage));
                break;
            case { Type: "draw" } draw:
                foreach (Member other in boards.Members(draw.Board!))
                {
                    await other.Send(text);
                }
                break;
        }
    }

    private void Leave()
    {
        if (_board is not null)
        {
            boards.Leave(_board, member);
        }
    }
}
