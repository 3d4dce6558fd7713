"""The documentation collection: documents, engines, topics and judgments."""

from irstd.documentation.docs_collection import documentation_campaign as documentation_campaign
