using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading.Tasks;

namespace ProctorKit
{
    /// <summary>A message of a WebSocket; its bytes are UTF-8 where it is a text.</summary>
    public struct Message
    {
        public readonly byte[] Bytes;
        public readonly bool IsText;

        public Message(byte[] bytes, bool isText)
        {
            Bytes = bytes;
            IsText = isText;
        }
    }

    /// <summary>One WebSocket, written by the author of an adapter. What a method throws, or its task, is a result.</summary>
    public interface ISocket
    {
        /// <summary>Does the opening handshake; gives the protocol that the server chose, or an empty text.</summary>
        Task<string> Open();

        Task Send(Message message);

        /// <summary>Comes back when the Pong has come.</summary>
        Task Ping();

        /// <summary>The next message; throws where none can come any more.</summary>
        Task<Message> Receive();

        /// <summary>Does the closing handshake, or starts it; without a code where that is null.</summary>
        Task Close(int? code, string reason);

        /// <summary>Ends it without a Close frame, from any thread; also before it is open.</summary>
        void Cancel();

        /// <summary>Waits for the end; gives the error by which the WebSocket failed, or null behind a closing handshake.</summary>
        Task<Exception> End();

        /// <summary>The code of the server's Close frame, 1005 where it has none; null where no such frame came.</summary>
        int? CloseCode { get; }
        string CloseReason { get; }

        /// <summary>Adds what else the client tells of the opening handshake.</summary>
        void AddFacts(IDictionary<string, object> facts);

        /// <summary>Adds error, domain and message.</summary>
        void AddFailure(IDictionary<string, object> facts, Exception error);
    }

    /// <summary>What a step does over its WebSocket, with its events as the trace has them (Docs/clients/trace.md).</summary>
    public sealed class Conversation
    {
        public const string Lanes = "task handler harness";
        public const string Facts = "messages protocol closeCode closeReason error message";
        public const string Moments = "before-resume after-resume";

        /// <summary>Bytes of messages that are told: more of them might not fit a line of the trace.</summary>
        private const int Limit = 160 << 10;

        private readonly Part step;
        private readonly int index;
        private readonly Trace trace;
        private readonly ISocket socket;
        private readonly List<string> messages = new List<string>();
        private long byteCount;

        public Conversation(Part step, int index, Trace trace, ISocket socket)
        {
            this.step = step;
            this.index = index;
            this.trace = trace;
            this.socket = socket;
        }

        /// <summary>
        /// Throws where no step is a WebSocket, and for what one is told nothing of; <c>unknown</c> are acts that the client lacks,
        /// such as <c>ping</c>, or <c>close without a code</c>.
        /// </summary>
        public static void Refuse(Adapter adapter, Part assignment, params string[] unknown)
        {
            var steps = assignment.Parts("steps");
            if (!steps.Any(IsWebSocket)) adapter.Cannot(0, "task", "opens a WebSocket");
            for (int index = 0; index < steps.Count; index++)
            {
                if (!IsWebSocket(steps[index])) continue;
                foreach (var key in new[] { "body", "form", "query", "timeout" })
                {
                    if (steps[index].Has(key)) adapter.Cannot(index, key, "is told a WebSocket without it");
                }
                foreach (var act in steps[index].Parts("conversation"))
                {
                    var word = act.Text("act");
                    if (word == "close" && !act.Has("code")) word += " without a code";
                    if (unknown.Contains(word)) adapter.Cannot(index, "conversation", "is told no " + word);
                }
            }
        }

        private static bool IsWebSocket(Part step)
        {
            return step.Text("task") == "websocket";
        }

        /// <summary>The whole step, from its resume to its result; <c>without</c> are events that the client does not tell.</summary>
        public async Task Run(string without)
        {
            Say("harness", "resume", null, new Dictionary<string, object> { { "without", without } });
            var facts = new Dictionary<string, object>();
            Exception failure;
            try
            {
                CancelAt("before-resume");
                var opening = socket.Open();
                CancelAt("after-resume");
                var protocol = await opening;
                if (protocol.Length > 0) facts["protocol"] = protocol;
                Say("task", "wsOpen", protocol.Length > 0 ? protocol : null);
                await Perform();
                failure = await socket.End();
            }
            catch (Exception error)
            {
                failure = error;
            }
            if (socket.CloseCode != null)
            {
                var told = new Dictionary<string, object>();
                if (!string.IsNullOrEmpty(socket.CloseReason)) told["closeReason"] = socket.CloseReason;
                Say("task", "wsClose", socket.CloseCode.Value.ToString(CultureInfo.InvariantCulture), told);
                foreach (var pair in told) facts[pair.Key] = pair.Value;
                facts["closeCode"] = socket.CloseCode.Value;
            }
            socket.AddFacts(facts);
            if (failure != null) socket.AddFailure(facts, failure);
            Say("task", "complete", failure == null ? "ok" : (string)facts["error"]);
            if (byteCount <= Limit) facts["messages"] = Encoding.UTF8.GetString(Json.Line(messages)).TrimEnd();
            Say("harness", "result", null, facts);
        }

        private void Say(string lane, string name, string argument, IDictionary<string, object> facts = null)
        {
            trace.Event(name, index, facts != null && facts.Count > 0 ? facts : null, argument, lane, "WS");
        }

        private void CancelAt(string moment)
        {
            if (step.Get("cancelAt").Text("event") == moment) Cancel();
        }

        private void Cancel()
        {
            Say("harness", "cancel", null);
            socket.Cancel();
        }

        /// <summary>Does the acts in order, up to the first that fails.</summary>
        private async Task Perform()
        {
            foreach (var act in step.Parts("conversation"))
            {
                var kind = act.Text("act");
                if (kind == "cancel") Cancel();
                else if (kind == "close") await Close(act);
                else if (kind == "send" && !await Attempt("wsSent", () => Send(act))) return;
                else if (kind == "ping" && !await Attempt("wsPong", Ping)) return;
                if (kind == "cancel" || kind == "close") return;
                for (long left = kind == "receive" ? act.Number("count") : 0; left > 0; left--)
                {
                    if (!await Attempt("wsReceived", Receive)) return;
                }
            }
        }

        private async Task Close(Part act)
        {
            try
            {
                await socket.Close(act.Has("code") ? (int?)act.Number("code") : null, act.Text("reason") ?? "");
            }
            catch (Exception)
            {
                // The end of the connection tells it.
            }
        }

        private async Task<Message?> Send(Part act)
        {
            var message = new Message(act.Content(), act.Has("isText"));
            await socket.Send(message);
            return message;
        }

        private async Task<Message?> Ping()
        {
            await socket.Ping();
            return null;
        }

        private async Task<Message?> Receive()
        {
            var message = await socket.Receive();
            byteCount += message.Bytes.Length;
            if (byteCount <= Limit)
            {
                messages.Add(message.IsText
                    ? "text " + Encoding.UTF8.GetString(message.Bytes)
                    : "binary " + string.Concat(message.Bytes.Select(one => one.ToString("x2", CultureInfo.InvariantCulture))));
            }
            return message;
        }

        private async Task<bool> Attempt(string name, Func<Task<Message?>> act)
        {
            var facts = new Dictionary<string, object>();
            try
            {
                var message = await act();
                if (message != null)
                {
                    facts["bytes"] = message.Value.Bytes.Length;
                    facts["crc32"] = (long)CRC32(message.Value.Bytes);
                    facts["isText"] = message.Value.IsText;
                }
                Say("handler", name, "ok", facts);
                return true;
            }
            catch (Exception error)
            {
                socket.AddFailure(facts, error);
                var word = (string)facts["error"];
                facts.Remove("error");
                Say("handler", name, word, facts);
                return false;
            }
        }

        /// <summary>The check sequence of zlib (RFC 1952 §8).</summary>
        private static uint CRC32(byte[] bytes)
        {
            uint sum = uint.MaxValue;
            foreach (var one in bytes)
            {
                sum ^= one;
                for (int bit = 0; bit < 8; bit++) sum = (sum >> 1) ^ ((sum & 1) * 0xedb88320);
            }
            return ~sum;
        }
    }
}
