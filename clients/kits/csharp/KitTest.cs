using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using ProctorKit;
using Trace = ProctorKit.Trace;

/// <summary>The tests of the kit (test.sh). With <c>adapter</c> in KIT_TEST it is the adapter that they start.</summary>
internal static class KitTest
{
    private const string Get = "{\"version\": 1, \"scenario\": \"a/b\", \"case\": \"c\", \"deadline\": 20000, \"session\": "
        + "{\"cookies\": \"always\"}, \"steps\": [{\"method\": \"GET\", \"url\": \"http://127.0.0.1:1/\", \"headers\": [], "
        + "\"bodyForm\": \"data\", \"beforehand\": {\"follow\": true}}]}";
    private static readonly Dictionary<string, string> Alone = new Dictionary<string, string>();
    private static int failures;

    private sealed class Tiny : Adapter
    {
        public override string Client { get { return "tiny"; } }
        public override string Revision { get { return "2"; } }
        public override string Version { get { return "1.0"; } }
        public override string Abilities { get { return "cancel redirects"; } }
        public override string Facts { get { return "status"; } }
        public override string Moments { get { return "data"; } }

        public override void Refuse(Part assignment)
        {
            var first = assignment.Parts("steps")[0];
            if (first.Text("task") == "websocket") Conversation.Refuse(this, assignment, "ping", "close without a code");
            if (first.Text("url") == "refused") Cannot(0, "url", "no");
        }

        public override async Task Run(Part assignment, Trace trace)
        {
            await Task.Yield();
            var steps = assignment.Parts("steps");
            if (steps[0].Text("task") == "websocket")
            {
                await new Conversation(steps[0], 0, trace, new Echo()).Run("redirect");
                return;
            }
            for (int index = 0; index < steps.Count; index++)
            {
                trace.Event("resume", index);
                if (steps[index].Text("url") == "mistake") throw new InvalidOperationException("a mistake of the adapter");
                if (steps[index].Text("url") == "hang") new ManualResetEvent(false).WaitOne();
                trace.Event("result", index, new Dictionary<string, object> { { "status", 200 } });
            }
        }
    }

    /// <summary>Brings back what it is sent, text or bytes, and then no more; "bad" it does not send.</summary>
    private sealed class Echo : ISocket
    {
        private readonly Queue<Message> messages = new Queue<Message>();
        private bool isCancelled;

        public int? CloseCode { get; private set; }
        public string CloseReason { get; private set; }

        public Task<string> Open()
        {
            if (isCancelled) throw new OperationCanceledException("not opened");
            return Task.FromResult("chat");
        }

        public Task Send(Message message)
        {
            if (Encoding.UTF8.GetString(message.Bytes) == "bad") throw new IOException("not sent");
            messages.Enqueue(message);
            return Task.CompletedTask;
        }

        public Task Ping()
        {
            throw new NotSupportedException();
        }

        public Task<Message> Receive()
        {
            return Task.FromResult(messages.Dequeue());
        }

        public Task Close(int? code, string reason)
        {
            CloseCode = code;
            CloseReason = reason;
            return Task.CompletedTask;
        }

        public void Cancel()
        {
            isCancelled = true;
        }

        public Task<Exception> End()
        {
            return Task.FromResult(CloseCode == null ? new IOException("lost") : (Exception)null);
        }

        public void AddFacts(IDictionary<string, object> facts)
        {
            facts["status"] = 101;
        }

        public void AddFailure(IDictionary<string, object> facts, Exception error)
        {
            facts["error"] = isCancelled ? "cancelled" : "connectionLost";
            facts["message"] = error.Message;
        }
    }

    private sealed class Outcome
    {
        internal int Code;
        internal string[] Lines;

        internal Part Line(int index)
        {
            return Read(Lines[index]);
        }

        internal string Names
        {
            get
            {
                return string.Join(" ", Lines.Select(line => line.Length == 0 ? "-" : Read(line).Text("ev") ?? "header"));
            }
        }
    }

    private static int Main(string[] words)
    {
        if (Environment.GetEnvironmentVariable("KIT_TEST") == "adapter") return new Tiny().Serve(words);
        ATraceHasAHeaderAndTimesOfTheMonotonicClock();
        ManyAssignmentsHaveATraceEach();
        WhatTheClientLacksOrCannotBeToldIsRefused();
        AnOpenStepHasAResultAtTheDeadline();
        WhatIsNoAssignmentEndsWith64AndAMistakeOfTheAdapterWith70();
        WhatNobodyReadsEndsWith74();
        AConversationIsTold();
        AConversationEndsAtTheFirstActThatFails();
        WhatAWebSocketIsToldNothingOfIsRefused();
        BodiesAndAnswers();
        NamesAndAddresses();
        ValuesAreWrittenInALine();
        Console.WriteLine(failures + " failures");
        return failures == 0 ? 0 : 1;
    }

    private static Part Read(string text)
    {
        return new Part(JsonDocument.Parse(text).RootElement);
    }

    private static Process Start(IDictionary<string, string> environment, params string[] words)
    {
        var command = new ProcessStartInfo(Process.GetCurrentProcess().MainModule.FileName)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        var program = Environment.GetCommandLineArgs()[0];
        foreach (var word in new[] { "exec", "--runtimeconfig", Path.ChangeExtension(program, "json"), program }.Concat(words))
        {
            command.ArgumentList.Add(word);
        }
        command.Environment["KIT_TEST"] = "adapter";
        foreach (var pair in environment) command.Environment[pair.Key] = pair.Value;
        return Process.Start(command);
    }

    private static Outcome Run(string input, IDictionary<string, string> environment, params string[] words)
    {
        using (var process = Start(environment, words))
        {
            process.ErrorDataReceived += (sender, data) => {};
            process.BeginErrorReadLine();
            process.StandardInput.Write(input);
            process.StandardInput.Close();
            var text = process.StandardOutput.ReadToEnd();
            if (!process.WaitForExit(60000)) process.Kill();
            process.WaitForExit();
            var lines = text.Split('\n');
            return new Outcome { Code = process.ExitCode, Lines = lines.Take(lines.Length - 1).ToArray() };
        }
    }

    private static void Expect<T>(T found, T wanted, [CallerMemberName] string test = "", [CallerLineNumber] int line = 0)
    {
        if (EqualityComparer<T>.Default.Equals(found, wanted)) return;
        failures++;
        Console.WriteLine(test + ", line " + line + ": " + found + ", wanted " + wanted);
    }

    private static void ATraceHasAHeaderAndTimesOfTheMonotonicClock()
    {
        long before = Stopwatch.GetTimestamp();
        var outcome = Run(Get, Alone);
        long after = Stopwatch.GetTimestamp();
        Expect(outcome.Code, 0);
        Expect(outcome.Names, "header resume result");
        Expect(outcome.Line(0).Text("client") + outcome.Line(0).Text("case"), "tinyc");
        for (int index = 1; index < 3 && outcome.Line(0).Text("clock") == "monotonic"; index++)
        {
            long at = outcome.Line(index).Number("ns");
            Expect(before < at && at < after, true);
        }
        Expect(outcome.Line(2).Get("facts").Number("status"), 200);
    }

    private static void ManyAssignmentsHaveATraceEach()
    {
        var second = Get.Replace("http://127.0.0.1:1/", "refused");
        var outcome = Run(Get + "\n" + second + "\n", new Dictionary<string, string> { { "PROCTOR_ASSIGNMENTS", "many" } });
        Expect(outcome.Code, 0);
        Expect(outcome.Names, "header resume result - header unimplemented -");
        Expect(outcome.Line(5).Text("arg"), "steps[0].url: tiny no");
    }

    private static void WhatTheClientLacksOrCannotBeToldIsRefused()
    {
        foreach (var row in new[] {
            new[] { "\"needs\": [\"cancel\", \"suspend\"], ", "", "needs: tiny has no suspend" },
            new[] { "", "\"onChallenge\": [{\"answer\": \"use\"}], ", "steps[0].onChallenge: tiny answers no challenge" },
            new[] { "", "\"cancelAt\": {\"event\": \"redirect\", \"count\": 1}, ", "steps[0].cancelAt: tiny can't be cancelled then" },
            new[] { "", "\"onResponse\": \"never\", ", "steps[0].onResponse: tiny can't say never" },
            new[] { "", "\"download\": {}, ", "steps[0].download: tiny decides nothing about a file" },
        })
        {
            var input = Get.Replace("\"deadline\"", row[0] + "\"deadline\"").Replace("\"beforehand\"", row[1] + "\"beforehand\"");
            Expect(Run(input, Alone).Line(1).Text("arg"), row[2]);
        }
        var untold = Run(Get.Replace("\"beforehand\"", "\"later\""), Alone);
        Expect(untold.Line(1).Text("arg"), "steps[0].beforehand: tiny is told no such answers before a load");
        var told = "\"cancelAt\": {\"event\": \"data\", \"count\": 1}, \"onChallenge\": [{\"answer\": \"use\"}], \"challengeCount\": 0, ";
        Expect(Run(Get.Replace("\"beforehand\"", told + "\"beforehand\""), Alone).Names, "header resume result");
    }

    private static void AnOpenStepHasAResultAtTheDeadline()
    {
        var outcome = Run(Get.Replace("http://127.0.0.1:1/", "hang").Replace("20000", "1500"), Alone);
        Expect(outcome.Code, 0);
        Expect(outcome.Names, "header resume result");
        Expect(outcome.Line(2).Get("facts").Text("domain"), "adapter");
    }

    private static void WhatIsNoAssignmentEndsWith64AndAMistakeOfTheAdapterWith70()
    {
        foreach (var input in new[] { "", "{", "[]", "{\"version\": 2}", Get.Replace("\"steps\"", "\"others\"") })
        {
            Expect(Run(input, Alone).Code, 64);
        }
        Expect(Run("", Alone, "--nonsense").Code, 64);
        Expect(Run(Get.Replace("http://127.0.0.1:1/", "mistake"), Alone).Code, 70);
        Expect(string.Join("|", Run("", Alone, "--version").Lines), "tiny 1.0");
    }

    private static void WhatNobodyReadsEndsWith74()
    {
        using (var process = Start(Alone))
        {
            process.StandardOutput.Close();
            process.StandardInput.Write(Get);
            process.StandardInput.Close();
            Expect(process.WaitForExit(60000) ? process.ExitCode : -1, 74);
        }
    }

    private static string Talk(string acts, string more = "")
    {
        return Get.Replace("\"bodyForm\"", "\"task\": \"websocket\", " + more + "\"conversation\": [" + acts + "], \"bodyForm\"");
    }

    private static void AConversationIsTold()
    {
        var outcome = Run(Talk("{\"act\": \"send\", \"text\": \"é\", \"isText\": true}, {\"act\": \"send\", \"base64\": \"AP8=\"}, "
            + "{\"act\": \"receive\", \"count\": 2}, {\"act\": \"close\", \"code\": 4000, \"reason\": \"bye\"}"), Alone);
        Expect(outcome.Code, 0);
        Expect(outcome.Names, "header resume wsOpen wsSent wsSent wsReceived wsReceived wsClose complete result");
        Expect(outcome.Line(1).Get("facts").Text("without"), "redirect");
        Expect(outcome.Line(2).Text("lane") + outcome.Line(2).Text("family") + outcome.Line(2).Text("arg"), "taskWSchat");
        var received = outcome.Line(6).Get("facts");
        Expect(outcome.Line(6).Text("lane") + outcome.Line(6).Text("arg"), "handlerok");
        Expect(received.Number("bytes"), 2);
        Expect(received.Number("crc32"), 0x6cdbfd72);
        Expect(received.Has("isText"), false);
        Expect(outcome.Line(5).Get("facts").Has("isText"), true);
        Expect(outcome.Line(7).Text("arg") + outcome.Line(7).Get("facts").Text("closeReason"), "4000bye");
        Expect(outcome.Line(8).Text("arg"), "ok");
        var facts = outcome.Line(9).Get("facts");
        Expect(string.Join("|", JsonDocument.Parse(facts.Text("messages")).RootElement.EnumerateArray()), "text é|binary 00ff");
        Expect(facts.Text("protocol") + facts.Number("status") + facts.Number("closeCode") + facts.Text("closeReason"), "chat1014000bye");
        Expect(facts.Text("error"), null);
    }

    private static void AConversationEndsAtTheFirstActThatFails()
    {
        var outcome = Run(Talk("{\"act\": \"send\", \"text\": \"bad\", \"isText\": true}, {\"act\": \"receive\", \"count\": 1}"), Alone);
        Expect(outcome.Names, "header resume wsOpen wsSent complete result");
        Expect(outcome.Line(3).Text("arg") + ": " + outcome.Line(3).Get("facts").Text("message"), "connectionLost: not sent");
        Expect(outcome.Line(4).Text("arg"), "connectionLost");
        Expect(outcome.Line(5).Get("facts").Text("message"), "lost");
        var cancelled = Run(Talk("{\"act\": \"cancel\"}, {\"act\": \"receive\", \"count\": 1}"), Alone);
        Expect(cancelled.Names, "header resume wsOpen cancel complete result");
        Expect(cancelled.Line(4).Text("arg"), "cancelled");
    }

    private static void WhatAWebSocketIsToldNothingOfIsRefused()
    {
        foreach (var row in new[] {
            new[] { "{\"act\": \"ping\"}", "", "conversation: tiny is told no ping" },
            new[] { "{\"act\": \"close\"}", "", "conversation: tiny is told no close without a code" },
            new[] { "", "\"timeout\": 5, ", "timeout: tiny is told a WebSocket without it" },
        })
        {
            Expect(Run(Talk(row[0], row[1]), Alone).Line(1).Text("arg"), "steps[0]." + row[2]);
        }
    }

    private static void BodiesAndAnswers()
    {
        Expect(Encoding.UTF8.GetString(Read("{\"text\": \"ab\", \"count\": 5}").Content()), "ababa");
        Expect(Read("{\"base64\": \"AP8=\"}").Content()[1], (byte)255);
        var facts = new Dictionary<string, object>();
        Part.AddBody(facts, new byte[] { 255 }, 1);
        Expect((string)facts["bodyBase64"], "/w==");
        facts.Clear();
        Part.AddBody(facts, Encoding.UTF8.GetBytes("é"), 2);
        Expect((string)facts["body"], "é");
        facts.Clear();
        Part.AddBody(facts, new byte[0], 9);
        Expect(facts.Count, 1);
        var step = Read("{\"bodyForm\": \"bound-pair\", \"on\": [{}, {}], \"count\": 1, \"headers\": [[\"a\", \"b\"], [1, 2]]}");
        Expect(step.IsStreamed, true);
        Expect(step.Met("on", "count").Count, 1);
        Expect(step.Met("on", "none").Count, 2);
        Expect(step.Pairs("headers")[0].Value, "b");
        Expect(step.Pairs("headers").Count, 1);
    }

    private static void NamesAndAddresses()
    {
        var session = Read("{\"names\": [{\"name\": \"a.test\", \"port\": 80, \"address\": \"[::1]:4711\"}]}");
        Expect(session.Place("A.test.", 80), "[::1]:4711");
        Expect(session.Place("a.test", 81), null);
        Expect(session.Place("b.test", 80), null);
        Expect(session.Place("localhost", 1), "127.0.0.1:1");
        Expect(session.Place("127.0.0.7", 1), "127.0.0.7:1");
        Expect(session.Place("::1", 1), "[::1]:1");
    }

    private static void ValuesAreWrittenInALine()
    {
        var line = Encoding.UTF8.GetString(Json.Line(new Dictionary<string, object> {
            { "a", 1 }, { "b", null }, { "c", new[] { "x" } }, { "d", true }, { "e", "\n\"é\ud800" }, { "f", long.MaxValue },
        }));
        Expect(line.Count(one => one == '\n'), 1);
        var read = Read(line);
        Expect(read.Number("a"), 1);
        Expect(read.Has("b"), false);
        Expect(read.Words("c")[0], "x");
        Expect(read.Has("d"), true);
        Expect(read.Text("e"), "\n\"é\ufffd");
        Expect(read.Number("f"), long.MaxValue);
    }
}
