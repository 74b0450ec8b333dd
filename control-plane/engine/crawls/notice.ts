/** Sent when a crawl was queued or cancelled. */
export const crawlNotice = 'crawls'
