import sys

import scrapy
from scrapy.crawler import CrawlerProcess

from asked import body, fields, follow, give, method, retry, url

ends = []


class Load(scrapy.Spider):
    name = "load"
    custom_settings = {"LOG_ENABLED": False, "RETRY_ENABLED": retry, "RETRY_TIMES": 3, "HTTPERROR_ALLOW_ALL": True, "TELNETCONSOLE_ENABLED": False}

    def start_requests(self):
        yield scrapy.Request(
            url, method=method, headers=fields, body=body or b"", meta={} if follow else {"dont_redirect": True}, callback=self.keep,
            errback=lambda failure: ends.append(1), dont_filter=True)

    # Scrapy 2.13 asks for this one.
    async def start(self):
        for request in self.start_requests():
            yield request

    def keep(self, reply):
        give(reply.body)
        ends.append(0)


process = CrawlerProcess()
process.crawl(Load)
process.start()
sys.exit(ends[0] if ends else 1)
