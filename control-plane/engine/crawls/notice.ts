/** Told when a crawl was put in line or called off. */
export const crawlNotice = 'crawls'
