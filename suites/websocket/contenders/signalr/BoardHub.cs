using Microsoft.AspNetCore.SignalR;
using Whiteboard;

/// <summary>Messages that the members of a board are told; public, because SignalR implements it.</summary>
public interface IBoardMember
{
    /// <summary>Somebody on the board has drawn.</summary>
    Task Draw(Drawing drawing);
}

/// <summary>The whiteboard: a group for each board.</summary>
internal sealed class BoardHub : Hub<IBoardMember>
{
    private const string Board = "board";

    /// <summary>Puts the caller on a board; it leaves the one that it was on.</summary>
    public async Task<BoardMessage> Join(BoardMessage join)
    {
        if (Context.Items[Board] is string before)
        {
            await Groups.RemoveFromGroupAsync(Context.ConnectionId, before);
        }
        string board = join.Board ?? throw new HubException("a join without its board");
        await Groups.AddToGroupAsync(Context.ConnectionId, board);
        Context.Items[Board] = board;
        return join with { Type = "joined" };
    }

    /// <summary>Tells everybody on the board that the drawing names.</summary>
    public Task Draw(Drawing drawing) => Clients.Group(drawing.Board).Draw(drawing);
}
