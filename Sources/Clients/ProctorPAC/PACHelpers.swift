/// The functions that a proxy auto-configuration file may call, in ECMAScript 5.
///
/// They are those of Netscape's document of March 1996; names are looked up in a table alone.
enum PACHelpers {
    static let text = #"""
        var names = {};
        function alert() {}
        function myIpAddress() { return "127.0.0.1"; }
        function isPlainHostName(host) { return String(host).indexOf(".") < 0; }
        function dnsDomainIs(host, domain) {
            host = String(host);
            domain = String(domain);
            return host.length >= domain.length && host.substring(host.length - domain.length) === domain;
        }
        function localHostOrDomainIs(host, full) { return host === full || String(full).lastIndexOf(host + ".", 0) === 0; }
        function dnsDomainLevels(host) { return String(host).split(".").length - 1; }
        function dnsResolve(host) {
            host = String(host).toLowerCase();
            if (/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(host)) return host;
            if (host === "localhost") return "127.0.0.1";
            return Object.prototype.hasOwnProperty.call(names, host) ? names[host] : null;
        }
        function isResolvable(host) { return dnsResolve(host) !== null; }
        function isInNet(host, pattern, mask) {
            function number(text) {
                var parts = String(text).split(".");
                return ((parts[0] & 255) << 24) | ((parts[1] & 255) << 16) | ((parts[2] & 255) << 8) | (parts[3] & 255);
            }
            var address = dnsResolve(host);
            return address !== null && (number(address) & number(mask)) === (number(pattern) & number(mask));
        }
        function shExpMatch(text, pattern) {
            var source = String(pattern).replace(/[.+^${}()|[\]\\\/]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
            return new RegExp("^" + source + "$").test(text);
        }
        var proctorDate = function (values) {
            var isGMT = values.length > 0 && values[values.length - 1] === "GMT";
            var now = new Date();
            return {
                values: isGMT ? values.slice(0, -1) : values,
                day: isGMT ? now.getUTCDay() : now.getDay(),
                D: isGMT ? now.getUTCDate() : now.getDate(),
                M: isGMT ? now.getUTCMonth() : now.getMonth(),
                Y: isGMT ? now.getUTCFullYear() : now.getFullYear(),
                time: isGMT
                    ? [now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds()]
                    : [now.getHours(), now.getMinutes(), now.getSeconds()]
            };
        };
        var proctorWithin = function (value, first, last) {
            return first <= last ? first <= value && value <= last : value >= first || value <= last;
        };
        function weekdayRange() {
            var days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
            var date = proctorDate([].slice.call(arguments));
            var first = days.indexOf(date.values[0]);
            var last = date.values.length > 1 ? days.indexOf(date.values[1]) : first;
            return first >= 0 && last >= 0 && proctorWithin(date.day, first, last);
        }
        function timeRange() {
            var date = proctorDate([].slice.call(arguments));
            var values = date.values, half = values.length / 2;
            if (values.length === 1) return date.time[0] === values[0];
            if (half !== 1 && half !== 2 && half !== 3) return false;
            var key = function (parts) {
                return (parts[0] | 0) * 3600 + (half > 1 ? (parts[1] | 0) * 60 : 0) + (half > 2 ? parts[2] | 0 : 0);
            };
            return proctorWithin(key(date.time), key(values.slice(0, half)), key(values.slice(half)));
        }
        function dateRange() {
            var months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
            var date = proctorDate([].slice.call(arguments));
            var kind = function (value) { return typeof value === "string" ? "M" : value > 31 ? "Y" : "D"; };
            var number = function (value) { return typeof value === "string" ? months.indexOf(value) : value; };
            var values = date.values;
            if (values.length === 1) return date[kind(values[0])] === number(values[0]);
            if (values.length % 2 !== 0 || values.length === 0 || values.length > 6) return false;
            var half = values.slice(0, values.length / 2);
            var key = function (source) {
                return ["Y", "M", "D"].reduce(function (sum, letter) {
                    for (var i = 0; i < half.length; i++) {
                        if (kind(half[i]) === letter) return sum * 400 + source(letter, i);
                    }
                    return sum;
                }, 0);
            };
            var last = values.slice(half.length);
            return proctorWithin(
                key(function (letter) { return date[letter]; }),
                key(function (letter, i) { return number(half[i]); }),
                key(function (letter, i) { return number(last[i]); }));
        }
        """#
}
