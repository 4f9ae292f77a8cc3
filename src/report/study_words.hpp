// The verdict of a comparison in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/document_parts.hpp"

namespace evident::report {

struct StudyWords {
  std::vector<std::string> sentences = {};  ///< what the data say, then whether to believe it
  std::string trust = {};  ///< "trust", "run longer", "do not trust", "unjudged"; empty in old documents
  std::size_t best = 0;    ///< the most probable model
};

StudyWords words_of(const DocumentParts& results);

/// Kass and Raftery's words with the least Bayes factor of each: [{"above": 1, "words": ..}, ..].
Json strengths_json();

/// A probability for a sentence: "0.93", "less than 0.001", "more than 0.999".
std::string probability_text(double p);

/// A table of the models in plain text, for readers without JavaScript.
std::string summary_text(const DocumentParts& results, const StudyWords& words);

}  // namespace evident::report
