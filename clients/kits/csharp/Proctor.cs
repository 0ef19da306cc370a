using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

// The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
//
//     sealed class Tiny : ProctorKit.Adapter { … }
//     static int Main(string[] words) => new Tiny().Serve(words);
//
// It is C# 7.0, without the types of later languages, so that Mono's compiler builds it too. The times are of Stopwatch, which reads
// CLOCK_MONOTONIC on Linux; elsewhere they are compared with one another.
namespace ProctorKit
{
    /// <summary>The program asks for what cannot be told to the client.</summary>
    public sealed class Unimplemented : Exception
    {
        public int Step { get; }

        public Unimplemented(int step, string reason) : base(reason)
        {
            Step = step;
        }
    }

    /// <summary>One client; lists are words with spaces between them.</summary>
    public abstract class Adapter
    {
        private static readonly bool IsMany = Environment.GetEnvironmentVariable("PROCTOR_ASSIGNMENTS") == "many";
        /// <summary>Milliseconds before the deadline at which the kit gives up.</summary>
        private const int Margin = 200;

        public abstract string Client { get; }
        /// <summary>The version of the adapter itself.</summary>
        public abstract string Revision { get; }
        public abstract string Version { get; }
        public abstract string Abilities { get; }
        public abstract string Facts { get; }
        /// <summary>Names of events at which the client can be cancelled.</summary>
        public virtual string Moments { get { return ""; } }
        public virtual string Lanes { get { return "harness"; } }

        /// <summary>Throws <see cref="Unimplemented"/> for what the client can't be told; nothing has begun yet.</summary>
        public virtual void Refuse(Part assignment) {}

        /// <summary>Whether the answers of a step can be told before it, or are given when the client asks.</summary>
        public virtual bool IsTold(Part step)
        {
            return step.Has("beforehand") || Can("challenges-in-turn");
        }

        /// <summary>Does the steps, with <c>resume</c> and <c>result</c> of each; may throw <see cref="Unimplemented"/>.</summary>
        public abstract Task Run(Part assignment, Trace trace);

        public bool Can(string ability)
        {
            return Abilities.Split().Contains(ability);
        }

        public void Cannot(int step, string key, string reason)
        {
            throw new Unimplemented(step, "steps[" + step + "]." + key + ": " + Client + " " + reason);
        }

        /// <summary>The whole program: it answers --version, or does what comes on standard input. Gives the exit code.</summary>
        public int Serve(string[] words)
        {
            if (words.Length == 1 && words[0] == "--version")
            {
                Output.Write(Encoding.UTF8.GetBytes(Client + " " + Version + "\n"));
                return 0;
            }
            if (words.Length > 0) return Complain("unknown argument '" + words[0] + "'; expected none or --version");
            using (var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false)))
            {
                if (!IsMany) return Perform(input.ReadToEnd());
                for (string line; (line = input.ReadLine()) != null;)
                {
                    int code = Perform(line);
                    if (code != 0) return code;
                    Output.Write(new[] { (byte)'\n' });
                }
            }
            return 0;
        }

        private int Complain(string reason)
        {
            Console.Error.WriteLine(Client + " adapter: " + reason);
            return 64;
        }

        private int Perform(string text)
        {
            int code = 0;
            JsonDocument document;
            try
            {
                document = JsonDocument.Parse(text);
            }
            catch (JsonException error)
            {
                return Complain("the assignment can't be read: " + error.Message);
            }
            using (document)
            {
                var assignment = new Part(document.RootElement);
                bool isWhole = assignment.Number("version") == 1 && assignment.Number("deadline") > 0 && assignment.Has("session");
                var steps = assignment.Parts("steps");
                isWhole = isWhole && steps.Count > 0 && steps.All(one => one.Text("method") != null && one.Text("url") != null);
                if (!isWhole) return Complain("no assignment of version 1 with a deadline, a session and steps");
                using (var over = new ManualResetEvent(false))
                {
                    var trace = new Trace(this, assignment);
                    var left = (int)Math.Min(int.MaxValue, Math.Max(100, assignment.Number("deadline") - Margin));
                    // A thread of its own, for those of the pool may all be the client's.
                    var watch = new Thread(() => { if (!over.WaitOne(left)) trace.GiveUp(IsMany); });
                    watch.IsBackground = true;
                    watch.Start();
                    try
                    {
                        Check(assignment);
                        Refuse(assignment);
                        Run(assignment, trace).GetAwaiter().GetResult();
                    }
                    catch (Unimplemented error)
                    {
                        trace.Event("unimplemented", error.Step, argument: error.Message);
                    }
                    catch (Exception error)
                    {
                        // Not the client's crash, as which the end by a signal would count.
                        Console.Error.WriteLine(Client + " adapter: " + error);
                        code = 70;
                    }
                    over.Set();
                    watch.Join();
                }
            }
            return code;
        }

        private void Check(Part assignment)
        {
            foreach (var word in assignment.Words("needs"))
            {
                if (!Can(word)) throw new Unimplemented(0, "needs: " + Client + " has no " + word);
            }
            var steps = assignment.Parts("steps");
            for (int index = 0; index < steps.Count; index++) Check(steps[index], index);
        }

        /// <summary>Throws where the client lacks a part of a step, or cannot be told it before the step.</summary>
        private void Check(Part step, int index)
        {
            bool logsIn = Can("basic") || Can("digest") || Can("bearer");
            bool isUsed = step.Met("onChallenge", "challengeCount").Any(one => one.Text("answer") == "use");
            if (isUsed && !logsIn) Cannot(index, "onChallenge", "answers no challenge");
            if (!IsTold(step))
            {
                Cannot(index, "beforehand", "is told no such answers before a load");
            }
            var moment = step.Get("cancelAt").Text("event");
            bool isLate = moment == "response" && step.Get("cancelAt").Number("count") > 1;
            if (moment != null && (isLate || !Moments.Split().Contains(moment))) Cannot(index, "cancelAt", "can't be cancelled then");
            // A question in whose callback the load is cancelled is not answered.
            var answer = moment == "response" ? "allow" : step.Text("onResponse") ?? "allow";
            if (answer != "allow" && answer != "cancel") Cannot(index, "onResponse", "can't say " + answer);
            if (step.Has("download")) Cannot(index, "download", "decides nothing about a file");
        }
    }

    /// <summary>Writes lines from any thread; each has left the process when the call returns.</summary>
    public sealed class Trace
    {
        private readonly SortedSet<int> open = new SortedSet<int>();
        private long count;

        internal Trace(Adapter adapter, Part assignment)
        {
            var isLinux = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);
            Put("trace", "proctor", "version", 1, "client", adapter.Client, "clientVersion", adapter.Version,
                "adapter", adapter.Client, "adapterVersion", adapter.Revision, "clock", isLinux ? "monotonic" : "other",
                "unit", "ns", "lanes", adapter.Lanes.Split(), "facts", adapter.Facts.Split(), "abilities", adapter.Abilities.Split(),
                "scenario", assignment.Text("scenario"), "case", assignment.Text("case"), "run", assignment.Text("run"));
        }

        /// <summary>An event of lane <c>harness</c>, or a callback of another; what is null is left out.</summary>
        public void Event(
            string name, int step, IDictionary<string, object> facts = null, string argument = null, string lane = "harness",
            string family = null)
        {
            lock (open)
            {
                if (name == "resume") open.Add(step);
                if (name == "result") open.Remove(step);
                // Ticks of 1 ns, but in a runtime whose counter is another.
                long now = Stopwatch.GetTimestamp() * (1000000000L / Stopwatch.Frequency);
                Put("seq", ++count, "ns", now, "lane", lane, "task", step, "ev", name, "family", family, "arg", argument, "facts", facts);
            }
        }

        internal void GiveUp(bool isMany)
        {
            lock (open)
            {
                foreach (var step in open.ToArray())
                {
                    Event("result", step, new Dictionary<string, object> {
                        { "error", "timedOut" }, { "domain", "adapter" }, { "message", "the step had not ended at the deadline" },
                    });
                }
                if (isMany) Output.Write(new[] { (byte)'\n' });
                Output.Leave(0);
            }
        }

        private static void Put(params object[] pairs)
        {
            var line = new Dictionary<string, object>();
            for (int at = 0; at < pairs.Length; at += 2) line[(string)pairs[at]] = pairs[at + 1];
            Output.Write(Json.Line(line));
        }
    }

    internal static class Output
    {
        private const int Interrupted = 4;

        /// <summary>Writes all of a line by the system's call: the stream of Console is silent where the reader has gone.</summary>
        internal static void Write(byte[] line)
        {
            for (int at = 0; at < line.Length;)
            {
                var rest = at == 0 ? line : line.Skip(at).ToArray();
                int count = (int)WriteBytes(1, rest, (IntPtr)rest.Length);
                if (count > 0) at += count;
                else if (Marshal.GetLastWin32Error() != Interrupted) Leave(74);
            }
        }

        [DllImport("libc", EntryPoint = "write", SetLastError = true)]
        private static extern IntPtr WriteBytes(int descriptor, byte[] bytes, IntPtr count);

        /// <summary>Ends the process at once: Exit would wait for the client's handlers.</summary>
        [DllImport("libc", EntryPoint = "_exit")]
        internal static extern void Leave(int code);
    }
}
