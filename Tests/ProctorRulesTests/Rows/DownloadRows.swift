extension RuleTable {
    static let downloadRows = """
        # R34 to R38.

        # R34: n more bytes make a total, from 0 or the offset, up to what is expected.
        accepted 34 sessionDownload: progress{n=100,total=100,expected=300} progress{n=200,total=300,expected=300}
            fileReady{bytes=300} complete(ok)
        accepted 34 sessionDownload: progress{n=5,total=5,expected=-1} progress{n=2,total=7,expected=-1} fileReady
            complete(ok)
        accepted 34 sessionDownload: downloadResumed{offset=100} progress{n=5,total=105,expected=200} fileReady complete(ok)
        accepted 34 sessionDownload: downloadResumed(100) progress{n=5,total=105} fileReady{bytes=105} complete(ok)
        accepted 34 connectionDownload: progress{n=10,total=10,expected=0} downloadResumed{offset=4}
            progress{n=6,total=10,expected=0} fileReady{bytes=10}
        accepted 34 download: downloadBegin response(200) progress{n=900} destination progress{n=3} complete(ok)
        # A recorder that knows no totals is not judged.
        accepted 34 sessionDownload: progress×3 fileReady complete(ok)
        accepted 34 sessionDownload: progress{n=3} progress{n=4,total=7} progress{n=1,total=8} fileReady complete(ok)
        observed 34 sessionDownload: progress{n=100,total=100} progress{n=90,total=90} fileReady complete(ok)
        observed 34 sessionDownload: progress{n=0,total=0} progress{n=3,total=3} fileReady complete(ok)
        observed 34 sessionDownload: progress{n=5,total=200,expected=200} progress{n=195,total=200,expected=200} fileReady
            complete(ok)
        observed 34 sessionDownload: progress{n=18,total=18,expected=7} fileReady complete(ok)
        observed 34 sessionDownload: progress{n=3,total=3} fileReady{bytes=4} complete(ok)
        observed 34 sessionDownload: downloadResumed{offset=100} progress{n=5,total=5} fileReady complete(ok)
        observed 34 sessionDownload: progress{n=9223372036854775807,total=9223372036854775807} progress{n=2,total=1}
            complete(timedOut)
        observed 34 connectionDownload: progress{n=10,total=10} progress{n=3,total=10} fileReady
        observed 34 download: downloadBegin response(200) progress{n=-1} complete(ok)

        # R35: once, after progress, before ok; and never for a failure.
        accepted 35 sessionDownload: progress×3 fileReady complete(ok)
        accepted 35 sessionDownload: fileReady metrics complete(ok)
        accepted 35 sessionDownload: progress×2 complete(connectionLost)
        accepted 35 sessionDownload: resume progress fileReady cancel complete(cancelled)
        accepted 35 sessionDownload: resume progress cancel fileReady complete(ok)
        accepted 35 sessionDownload: progress fileReady complete(cancelled)
        refused 35 sessionDownload: progress×2 complete(ok)
        refused 35 sessionDownload: progress fileReady progress complete(ok)
        refused 35 sessionDownload: progress fileReady fileReady complete(ok)
        refused 35 sessionDownload: progress fileReady complete(timedOut)
        refused 35 sessionDownload: resume progress fileReady complete(cancelled)
        accepted 35 connectionDownload: progress×3 fileReady
        accepted 35 connectionDownload: progress downloadResumed(5) progress complete(connectionLost)
        refused 35 connectionDownload: progress×2 complete(ok)

        # R36: announced once, first; instead of the response of an NSURLDownload.
        accepted 36 sessionDownload: downloadResumed(100) progress×2 fileReady complete(ok)
        accepted 36 sessionDownload: redirect(302) downloadResumed(0) progress fileReady complete(ok)
        accepted 36 sessionDownload: downloadResumed(0) redirect(302) progress fileReady complete(ok)
        accepted 36 connectionDownload: progress downloadResumed(5) progress downloadResumed(7) progress fileReady
        accepted 36 sessionBackground: progress downloadResumed(5) progress downloadResumed(7) progress fileReady
            complete(ok)
        accepted 36 download: downloadBegin downloadResumed(100) progress complete(ok)
        refused 36 sessionDownload: progress downloadResumed(100) progress fileReady complete(ok)
        refused 36 sessionDownload: downloadResumed(100) downloadResumed(0) progress fileReady complete(ok)
        refused 36 download: downloadBegin response(206) downloadResumed(100) progress complete(ok)
        refused 36 download: downloadBegin downloadResumed(100) downloadResumed(0) progress complete(ok)
        observed 36 download: downloadBegin downloadResumed(100) response(200) progress complete(ok)

        # R37: what belongs to the request, then what belongs to the entity.
        accepted 37 download: downloadBegin response(200) progress shouldDecode(application/gzip) destination(a)
            destinationCreated progress×2 complete(ok)
        accepted 37 download: askCredStore downloadBegin canonicalize redirect(302) response(200) destination(a)
            complete(ok)
        accepted 37 download: downloadBegin response(200) destinationCreated destinationCreated progress complete(ok)
        accepted 37 download: downloadBegin response(200) shouldDecode(application/gzip) shouldDecode(application/macbinary)
            complete(ok)
        accepted 37 download: downloadBegin response(200) progress response(200) progress destination(a) complete(ok)
        refused 37 download: downloadBegin progress response(200) progress complete(ok)
        refused 37 download: downloadBegin destination(a) response(200) progress complete(ok)
        refused 37 download: downloadBegin response(200) destinationCreated destination(a) complete(ok)
        refused 37 download: downloadBegin response(200) destination(a) progress destination(b) complete(ok)
        refused 37 download: downloadBegin response(200) downloadBegin progress complete(ok)
        refused 37 download: canonicalize downloadBegin response(200) complete(ok)
        refused 37 download: downloadBegin response(200) challengeCancelled(basic) complete(ok)
        observed 37 download: downloadBegin response(200) destination(a) shouldDecode(application/gzip) progress
            complete(ok)

        # R38: a cancel that produces resume data, known by its selector or by that of its handler.
        accepted 38 sessionDownload: resume progress cancel{sel="cancel(byProducingResumeData:)"}
            handler(ok){sel="cancel(byProducingResumeData:)"} complete(cancelled)
        accepted 38 sessionDownload: resume progress cancel complete(cancelled)
            handler(error){sel="cancel(byProducingResumeData:)"}
        accepted 38 sessionDownload: resume progress fileReady cancel{sel="cancelByProducingResumeData:"}
            complete(cancelled)
        accepted 38 sessionDownload: resume progress cancel{sel="cancel(byProducingResumeData:)"} fileReady complete(ok)
        refused 38 sessionDownload: resume progress cancel{sel="cancel(byProducingResumeData:)"} fileReady
            complete(cancelled)
        refused 38 sessionDownload: resume progress cancel fileReady complete(cancelled)
            handler(error){sel="cancelByProducingResumeData:"}

        # R59: asked by the type of the response.
        accepted 59 download: resume downloadBegin response(200){mime="application/gzip"}
            shouldDecode(application/gzip) shouldDecode(application/macbinary) progress complete(ok)
        accepted 59 download: resume downloadBegin response(200){mime="Application/MacBinary"}
            shouldDecode(application/macbinary) progress complete(ok)
        accepted 59 download: resume downloadBegin response(200){mime="text/plain"} progress complete(ok)
        accepted 59 download: resume{without="shouldDecode"} downloadBegin response(200){mime="application/binhex"}
            progress complete(ok)
        accepted 59 download: resume downloadBegin response(200){mime="application/gzip"} complete(connectionLost)
        accepted 59 download: resume downloadBegin downloadResumed(5){mime="application/gzip"} progress complete(ok)
        refused 59 download: resume downloadBegin response(200){mime="application/mac-binhex40"} progress complete(ok)
        refused 59 download: resume downloadBegin response(200){mime="text/plain"} shouldDecode(text/plain) progress
            complete(ok)
        refused 59 download: resume downloadBegin response(200){mime="application/gzip"}
            shouldDecode(application/binhex) progress complete(ok)
        observed 59 download: resume downloadBegin response(200){mime="application/x-gzip"}
            shouldDecode(application/gzip) progress complete(ok)
        """
}
